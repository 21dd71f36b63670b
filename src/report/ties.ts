import { Decimal } from 'decimal.js';
import type { Database, Value } from '../database/database.ts';
import { AppError } from '../error.ts';
import { buildCondition } from './filter.ts';
import type { Query } from './parameters.ts';
import { isInWindow, kindLiteral, querySqlOf, statusLiteral } from './query-sql.ts';
import type { Column, Tie } from './table.ts';

/** Precision for any sum of DECIMAL(38,4). */
const Exact = Decimal.clone({ precision: 60 });

const SCALE = 4;

/** A comparison of two numbers, with the visibility of its numbers. */
export interface Comparison {
  readonly check: string;
  readonly left: string;
  readonly right: string;
  readonly ok: boolean;
  /** True for costs, which a failure shows in the log alone. */
  readonly isCost: boolean;
  /** True for numbers from outside the filters; readers see only the result. */
  readonly isBeyondFilter: boolean;
}

/**
 * Compares the sums of the rows with the totals, which were computed independently.
 * @param additive Names of the measures that are plain sums.
 */
export function tieRows(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  totals: readonly Value[],
  additive: ReadonlySet<string>,
): Comparison[] {
  return columns.flatMap(({ name, needsRates }, index) => {
    if (!additive.has(name)) return [];
    let sum = 0n;
    for (const row of rows) sum += unitsOf(row[index] ?? null);
    const [left, right] = [formatUnits(sum), formatUnits(unitsOf(totals[index] ?? null))];
    const check = `${name}: sum of the rows, total`;
    return [{ check, left, right, ok: left === right, isCost: needsRates, isBeyondFilter: false }];
  });
}

/** Converts a decimal to whole units of its last digit: "12.5000" is 125000n, null is 0n. */
function unitsOf(value: Value): bigint {
  if (value === null) return 0n;
  const text = String(value);
  if (text.at(-SCALE - 1) !== '.') throw new AppError('internal', `A sum must have ${SCALE} decimals: ${text}`);
  return BigInt(text.slice(0, -SCALE - 1) + text.slice(-SCALE));
}

function formatUnits(units: bigint): string {
  return new Exact(units.toString()).div(10 ** SCALE).toFixed(SCALE);
}

const AMOUNTS = [
  { name: 'cost', label: 'cost', exact: 'hours * cost_rate', needsRates: true },
  { name: 'fee', label: 'fees', exact: 'CASE WHEN billable THEN hours * bill_rate END', needsRates: false },
];

/**
 * Reads the tie-outs of the filtered ledger: labour by person against by project, and rounding.
 * Rounding is reported and never fails. Logged records have no project (D8): their hours are
 * compared with the whole ledger, whatever the filters.
 * @param seesRates True to include costs.
 */
export async function readTies(database: Database, query: Query, seesRates: boolean): Promise<Comparison[]> {
  const amounts = AMOUNTS.filter(({ needsRates }) => seesRates || !needsRates);
  const [row] = await database.rows<Record<string, string>>(compileTies(query, amounts));
  const number = (name: string) => new Exact(row?.[name] ?? 0);
  const compare = (check: string, left: Decimal, right: Decimal, visibility: Partial<Comparison>): Comparison => ({
    check,
    left: left.toFixed(Math.max(SCALE, left.decimalPlaces())),
    right: right.toFixed(SCALE),
    ok: left.equals(right),
    isCost: false,
    isBeyondFilter: false,
    ...visibility,
  });
  return [
    ...amounts.map(({ name, label, needsRates }) =>
      compare(
        `labour ${label} in the window: by person, by project`,
        number(`${name}_by_person`),
        number(`${name}_by_project`),
        { isCost: needsRates },
      ),
    ),
    compare(
      'logged hours in the window: of the records, in the ledger',
      number('input_hours'),
      number('ledger_hours'),
      { isBeyondFilter: query.filters.length > 0 },
    ),
    ...amounts.map(({ name, label, needsRates }) =>
      compare(
        `${label} in the window, expenses included: before rounding, as rounded on each line`,
        number(`exact_${name}`).plus(number(`exact_expense_${name}`)),
        number(`${name}_by_project`).plus(number(`expense_${name}`)),
        { ok: true, isCost: needsRates },
      ),
    ),
  ];
}

function compileTies(query: Query, amounts: typeof AMOUNTS): string {
  const window = isInWindow(querySqlOf(query), 'date');
  const lines = `FROM core.ledger AS ledger WHERE ${window} AND status <> ${statusLiteral('canceled')}`;
  const filters = query.filters.map((filter) => ` AND ${buildCondition(filter, query.report, 'ledger')}`).join('');
  const labour = `${lines} AND kind <> ${kindLiteral('expense')}${filters}`;
  const expenses = `SELECT project_expense_id ${lines} AND kind = ${kindLiteral('expense')}${filters}`;
  const each = (...columns: readonly ((name: string, exact: string) => string)[]) =>
    amounts.flatMap(({ name, exact }) => columns.map((column) => column(name, exact))).join(', ');
  const sumsBy = (key: string, unit: string) => `(
  SELECT ${each((name) => `SUM(${name}) AS ${name}_by_${unit}`)}
  FROM (SELECT ${each((name) => `SUM(${name}) AS ${name}`)} ${labour} GROUP BY ${key}) AS groups
)`;
  return `
WITH people AS ${sumsBy('people_id', 'person')},
projects AS ${sumsBy('project_id', 'project')},
unrounded AS (SELECT ${each((name, exact) => `SUM(${exact}) AS exact_${name}`)} ${labour}),
logged AS (SELECT SUM(hours) AS ledger_hours ${lines} AND kind = ${kindLiteral('actual')}),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE ${window}),
expenses AS (
  SELECT ${each(
    (name) => `SUM(${name}) AS expense_${name}`,
    (name) => `SUM(unrounded_${name}) AS exact_expense_${name}`,
  )}
  FROM core.expenses WHERE ${window}${filters === '' ? '' : ` AND project_expense_id IN (${expenses})`}
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN unrounded CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses`;
}

/**
 * Throws at the first comparison that fails: no answer is better than a wrong one.
 * @throws AppError check when two numbers differ.
 */
export function assertTies(comparisons: readonly Comparison[]): void {
  const broken = comparisons.find(({ ok }) => !ok);
  if (!broken) return;
  throw tieError('report', broken);
}

/** Returns the error of a failed tie-out; confidential numbers go into its evidence. */
export function tieError(
  subject: string,
  { check, left, right, isCost, isBeyondFilter }: Omit<Comparison, 'ok'>,
): AppError {
  const numbers = `${left} against ${right}`;
  const isSecret = isCost || isBeyondFilter;
  return new AppError('check', `The ${subject} does not tie out (${check})${isSecret ? '' : `: ${numbers}`}`, {
    ...(isSecret && { evidence: numbers }),
    hint: 'No numbers are shown, because they would be wrong. Please report this, with the query and the data version.',
  });
}

export function describeTies(comparisons: readonly Comparison[]): Tie[] {
  return comparisons.map(({ check, left, right, ok, isBeyondFilter }) =>
    isBeyondFilter ? { check, ok } : { check, left, right, ok },
  );
}
