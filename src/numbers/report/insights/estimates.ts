import type { Value } from '../../../base/database/index.ts';
import { countsAs } from '../../relation/line-kinds.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { filterConditions } from '../source/filter.ts';
import { isInWindow, querySqlOf } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import { keyColumnsOf, plainFact, type ToldRows } from './row-facts.ts';

/** An estimate of unknown amounts: the facts that it makes, and the measure whose lines it estimates. */
const ESTIMATES = [
  { name: 'cost_estimate', measure: 'actual_hours_without_cost_rate' },
  { name: 'fees_estimate', measure: 'actual_hours_without_bill_rate' },
] as const;

/**
 * Adds estimates of the cost and fees of logged hours without a rate, at the rate of a role that the rules of the ledger didn't use:
 * a cost at the rate of the line's role, fees at the rate of the person's own role of the day. Only for readers who see rates.
 */
export async function addEstimates({ database, company }: ReportContext, query: Query, rows: ToldRows): Promise<void> {
  const isUnknown = rows.all.some(({ facts }) =>
    ESTIMATES.some(({ measure }) => /[1-9]/.test(facts.get(measure)?.value ?? '')),
  );
  if (!query.selection.seesRates || !isUnknown) return;
  const keyNames = keyColumnsOf(query);
  for (const values of await database.rows<Record<string, Value>>(compileEstimates(query, company.minorUnits))) {
    const row = rows.find(keyNames.map((name) => values[name] ?? null));
    for (const { name, measure } of ESTIMATES) {
      // The lines that are estimated stand behind the estimate, though they don't add up to it.
      const estimated = () => row?.facts.get(measure)?.query() ?? null;
      row?.facts.set(name, { ...plainFact(values[name], 'money'), query: estimated });
      row?.facts.set(`${name}_hours`, { ...plainFact(values[`${name}_hours`], 'hours'), query: estimated });
    }
  }
}

function compileEstimates(query: Query, minorUnits: number): string {
  const source = stateSource(query.selection).alone;
  const querySql = querySqlOf(query.selection);
  const ids = keyColumnsOf(query);
  const keys = ids.map((id) => `ledger.${id}`).join(', ');
  const conditions = [
    isInWindow(querySql, 'ledger.date'),
    countsAs('work', 'ledger.kind'),
    `ledger.date <= ${querySql.cutoff}`,
    `(ledger.cost_rate_source = 'none' OR ledger.fee IS NULL)`,
    ...filterConditions(query.selection, 'ledger'),
  ];
  const amount = (rate: string) => `pl_amount(hours, ${rate}, ${minorUnits})`;
  return `WITH unpriced AS (
  SELECT ${keys}, ledger.hours, CASE WHEN ledger.cost_rate_source = 'none' THEN role_cost_rates.cost_rate END AS cost_rate,
    CASE WHEN ledger.fee IS NULL THEN person_rates.role_bill_rate END AS bill_rate
  FROM ${source.relation('ledger')} AS ledger
  LEFT JOIN ${source.relation('role_cost_rates')} AS role_cost_rates ON role_cost_rates.role_id = ledger.role_id
    AND role_cost_rates.valid_from <= ledger.date AND role_cost_rates.valid_to > ledger.date
  LEFT JOIN ${source.relation('person_rates')} AS person_rates ON person_rates.people_id = ledger.people_id
    AND person_rates.valid_from <= ledger.date AND person_rates.valid_to > ledger.date
  WHERE ${conditions.join('\n    AND ')}
)
SELECT ${ids.join(', ')}, SUM(${amount('cost_rate')}) AS cost_estimate, SUM(CASE WHEN cost_rate IS NOT NULL THEN hours END) AS cost_estimate_hours,
  SUM(${amount('bill_rate')}) AS fees_estimate, SUM(CASE WHEN bill_rate IS NOT NULL THEN hours END) AS fees_estimate_hours
FROM unpriced
GROUP BY ${ids.join(', ')}`;
}
