import { Decimal } from 'decimal.js';
import type { Database, Value } from '../database.ts';
import { AppError } from '../error.ts';
import type { Query } from './parameters.ts';
import { dateLiteral } from './period.ts';
import type { Column, Tie } from './table.ts';

/** Enough digits for any sum of DECIMAL(38,4). */
const Exact = Decimal.clone({ precision: 60 });

/**
 * Holds the sums of the rows against the totals, measure by measure; the two were computed apart.
 * @param additive The names of the measures that are plain sums.
 */
export function tieRows(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  totals: readonly Value[],
  additive: ReadonlySet<string>,
): Tie[] {
  return columns.flatMap((column, index) => {
    if (!additive.has(column.name)) return [];
    const left = rows.reduce((sum, row) => sum.plus(String(row[index] ?? 0)), new Exact(0)).toFixed(4);
    const right = new Exact(String(totals[index] ?? 0)).toFixed(4);
    return [{ check: `${column.name}: sum of the rows, total`, left, right, ok: left === right }];
  });
}

/**
 * Reads the ties of the whole ledger in the window: labour cost by person against by project, hours of the ledger against those of
 * the logged-time records, and what rounding moved (which is stated, and never fails).
 */
export async function readTies(database: Database, query: Query): Promise<Tie[]> {
  const window = `date BETWEEN ${dateLiteral(query.startDate)} AND ${dateLiteral(query.endDate)}`;
  const [row] = await database.rows<Record<string, string>>(`
WITH sums AS (
  SELECT GROUPING(people_id) AS is_by_project, SUM(cost) AS cost, SUM(fee) AS fee, SUM(CASE WHEN kind = 'actual' THEN hours END) AS hours,
    SUM(hours * cost_rate) AS exact_cost, SUM(CASE WHEN billable THEN hours * bill_rate END) AS exact_fee
  FROM core.ledger
  WHERE ${window} AND status <> 'canceled' AND kind <> 'expense'
  GROUP BY GROUPING SETS ((people_id), (project_id))
),
by_person AS (
  SELECT SUM(cost) AS cost, SUM(fee) AS fee, SUM(hours) AS hours, SUM(exact_cost) AS exact_cost, SUM(exact_fee) AS exact_fee
  FROM sums WHERE is_by_project = 0
),
by_project AS (SELECT SUM(cost) AS cost FROM sums WHERE is_by_project = 1),
records AS (SELECT SUM(hours) AS hours FROM source.logged_time WHERE ${window}),
expenses AS (
  SELECT SUM(cost) AS cost, SUM(fee) AS fee, SUM(unrounded_cost) AS exact_cost, SUM(unrounded_fee) AS exact_fee
  FROM core.expense_lines WHERE ${window}
)
SELECT by_person.cost AS cost_by_person, by_project.cost AS cost_by_project, by_person.hours AS ledger_hours, records.hours AS input_hours,
  by_person.exact_cost, by_person.cost, by_person.exact_fee, by_person.fee, expenses.exact_cost AS exact_expense_cost,
  expenses.cost AS expense_cost, expenses.exact_fee AS exact_expense_fee, expenses.fee AS expense_fee
FROM by_person CROSS JOIN by_project CROSS JOIN records CROSS JOIN expenses`);
  const number = (name: string) => new Exact(row?.[name] ?? 0);
  const tie = (check: string, left: Decimal, right: Decimal, ok = left.equals(right)): Tie => ({
    check,
    left: left.toFixed(Math.max(4, left.decimalPlaces())),
    right: right.toFixed(4),
    ok,
  });
  return [
    tie('labour cost in the window: by person, by project', number('cost_by_person'), number('cost_by_project')),
    tie('logged hours in the window: of the records, in the ledger', number('input_hours'), number('ledger_hours')),
    tie(
      'cost in the window, expenses included: before rounding, as rounded on each line',
      number('exact_cost').plus(number('exact_expense_cost')),
      number('cost').plus(number('expense_cost')),
      true,
    ),
    tie(
      'fees in the window, expenses included: before rounding, as rounded on each line',
      number('exact_fee').plus(number('exact_expense_fee')),
      number('fee').plus(number('expense_fee')),
      true,
    ),
  ];
}

/** @throws AppError check when two numbers differ that must not: no answer is better than a quiet wrong one. */
export function assertTies(ties: readonly Tie[]): void {
  const broken = ties.find(({ ok }) => !ok);
  if (!broken) return;
  throw new AppError('check', `The report does not tie out (${broken.check}): ${broken.left} against ${broken.right}`, {
    hint: 'No numbers are shown, because they would be wrong. Please report this, with the query and the data version.',
  });
}
