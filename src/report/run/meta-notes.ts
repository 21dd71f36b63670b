import { daysBetween } from '../../calendar/day.ts';
import type { Database } from '../../database/database.ts';
import { formatRounded } from '../../exact-decimal.ts';
import { FIRST_DATE } from '../../resource/field.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { termsOf } from '../catalogue/measure-meaning.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { describeApart, isOfWhole } from '../kinds/kinds.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { Grouping, Query } from '../request/query.ts';
import { compileUnknownProgress } from '../source/agreed-fees.ts';
import { kindLiteral, querySqlOf } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';

interface NotedData {
  readonly database: Database;
  readonly company: Company;
}

/** Returns what readers are to know of the numbers of a query, as sentences. */
export async function noteNumbers(data: NotedData, query: Query): Promise<string[]> {
  const { grouping } = query;
  const overlapping = grouping.dimensions.filter(({ overlaps }) => overlaps).map(({ label }) => label.toLowerCase());
  return [
    ...overlapping.map(
      (label) => `Rows by ${label} overlap: a line may stand in several of them. The totals count it once.`,
    ),
    ...notesApart(grouping),
    ...noteSeenPart(query),
    ...(await noteAgreedFees(data, query)),
    ...(await notePlanHorizon(data, query)),
  ];
}

/** Names the measures whose rows may not add up to their totals, by the reason. */
function notesApart(grouping: Grouping): string[] {
  const labels = new Map<string, string[]>();
  for (const measure of grouping.measures) {
    const reason = describeApart(measure, grouping);
    if (reason !== undefined) labels.set(reason, [...(labels.get(reason) ?? []), measure.label]);
  }
  return [...labels].map(
    ([reason, measures]) => `${measures.join(', ')}: rows may not add up to the total. ${reason}.`,
  );
}

/** Tells a reader of a part that the answer is of that part, and the measures that it leaves blank (L2). */
function noteSeenPart({ selection: { part }, grouping }: Query): string[] {
  if (!part) return [];
  const labels = (whole: 'people' | 'projects') =>
    grouping.measures.filter((measure) => isOfWhole(measure) === whole).map(({ label }) => label);
  const blank = (whole: 'people' | 'projects', reasons: Readonly<Record<string, string>>) => {
    const [reason, measures] = [reasons[part[whole]], labels(whole)];
    return reason === undefined || measures.length === 0 ? [] : [`${measures.join(', ')}: ${reason}.`];
  };
  return [
    'You see a part of the data; rows, totals and notes are of that part.',
    ...blank('projects', { some: 'blank for projects on which others work, too, of whom you see nothing' }),
    ...blank('people', {
      none: 'blank, as they are of all work of a person, of which you see a part',
      some: 'blank for all people but you, as they are of all work of a person, of which you see a part',
    }),
  ];
}

/** Says how many agreed fees of a query are earned as they are used, since their progress is unknown (3.3.1). */
async function noteAgreedFees({ database, company }: NotedData, query: Query): Promise<string[]> {
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

/** The set of lines by which forecasts go beyond the cutoff. */
const STILL_TO_COME = 'scheduled_after_cutoff';

/** The days of a window after the end of the plan from which it is said: a week without work says nothing. Unit: days. */
const LEAST_DAYS_BEYOND = 8;

/** Says where the plan ends, if a forecast of a query goes beyond it: the last day for which anybody has billable work scheduled. */
export async function notePlanHorizon({ database }: Pick<NotedData, 'database'>, query: Query): Promise<string[]> {
  const { endDate, cutoffDate } = query.selection;
  const isForecast = query.grouping.measures.some((measure) =>
    termsOf(measure).some(({ lines }) => lines === STILL_TO_COME),
  );
  if (!isForecast || query.compared || endDate <= cutoffDate) return [];
  const source = stateSource(query.selection).alone;
  const isPlanned = `kind = ${kindLiteral('scheduled')} AND billable AND ${querySqlOf(query.selection).hasStatus('status')}`;
  // The sums of months are few; only the lines of the last month tell the day. A part by people may have none of them.
  const [found] = await database.rows<{ last_day: string | null }>(
    `SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM ${source.relation('ledger')}
     WHERE ${isPlanned} AND date >= (SELECT COALESCE(MAX(month), ${dateLiteral(FIRST_DATE)}) FROM ${source.relation('ledger_months')} WHERE ${isPlanned})`,
  );
  const last = found?.last_day ?? null;
  if (last === null || daysBetween(last, endDate) < LEAST_DAYS_BEYOND) return [];
  return [
    `No billable work is scheduled after ${last}: what is forecast for the days from then to ${endDate} has no fees.`,
  ];
}
