import type { Database } from '../../database/database.ts';
import { formatRounded } from '../../exact-decimal.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Query } from '../request/query.ts';
import { compileUnknownProgress } from '../source/agreed-fees.ts';

/** Says how many agreed fees of a query are earned as they are used, since their progress is unknown (3.3.1). */
export async function noteAgreedFees(
  { database, company }: { readonly database: Database; readonly company: Company },
  query: Query,
): Promise<string[]> {
  const plan = planSummary(query, company);
  if (!plan.amounts.includes('earned_fee') || query.compared) return [];
  const [found] = await database.rows<{ count: number; total: string }>(compileUnknownProgress(plan));
  const { count = 0, total = '0' } = found ?? {};
  if (count === 0) return [];
  const [subject, verb] = count === 1 ? ['1 agreed fee', 'is'] : [`${count} agreed fees`, 'are'];
  const amount = `${formatRounded(total, company.minorUnits)} ${company.currency}`;
  return [
    `${subject} of ${amount} in all ${verb} earned as used: no billable hours are left to do, and the project or phase is neither completed nor past its end date, or it is canceled.`,
  ];
}
