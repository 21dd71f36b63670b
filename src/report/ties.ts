import { Decimal } from 'decimal.js';
import type { Database, Value } from '../database.ts';
import { AppError } from '../error.ts';
import { askedOf, isInWindow, kindLiteral, statusLiteral } from './asked.ts';
import type { Query } from './parameters.ts';
import type { Column, Tie } from './table.ts';

/** Enough digits for any sum of DECIMAL(38,4). */
const Exact = Decimal.clone({ precision: 60 });

/** The decimals of every sum. */
const SCALE = 4;

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
    let sum = 0n;
    for (const row of rows) sum += unitsOf(row[index] ?? null);
    const [left, right] = [formatUnits(sum), formatUnits(unitsOf(totals[index] ?? null))];
    return [{ check: `${column.name}: sum of the rows, total`, left, right, ok: left === right }];
  });
}

/** A decimal in units of its last digit, which are whole: "12.5000" is 125000n. Unknown is none. */
function unitsOf(value: Value): bigint {
  if (value === null) return 0n;
  const text = String(value);
  if (text.at(-SCALE - 1) !== '.') throw new AppError('internal', `A sum has other than ${SCALE} decimals: ${text}`);
  return BigInt(text.slice(0, -SCALE - 1) + text.slice(-SCALE));
}

function formatUnits(units: bigint): string {
  return new Exact(units.toString()).div(10 ** SCALE).toFixed(SCALE);
}

/** The amounts of a line: how they are called, and what they are before rounding. */
const AMOUNTS = [
  { name: 'cost', label: 'cost', exact: 'hours * cost_rate', needsRates: true },
  { name: 'fee', label: 'fees', exact: 'CASE WHEN billable THEN hours * bill_rate END', needsRates: false },
];

/**
 * Reads the ties of the whole ledger in the window: amounts of labour by person against by project, hours of the ledger against those of
 * the logged-time records, and what rounding moved (which is stated, and never fails).
 * @param seesRates Whether costs are among the amounts.
 */
export async function readTies(database: Database, query: Query, seesRates: boolean): Promise<Tie[]> {
  const amounts = AMOUNTS.filter(({ needsRates }) => seesRates || !needsRates);
  const [row] = await database.rows<Record<string, string>>(compileTies(query, amounts));
  const number = (name: string) => new Exact(row?.[name] ?? 0);
  const tie = (check: string, left: Decimal, right: Decimal, ok = left.equals(right)): Tie => ({
    check,
    left: left.toFixed(Math.max(SCALE, left.decimalPlaces())),
    right: right.toFixed(SCALE),
    ok,
  });
  return [
    ...amounts.map(({ name, label }) =>
      tie(
        `labour ${label} in the window: by person, by project`,
        number(`${name}_by_person`),
        number(`${name}_by_project`),
      ),
    ),
    tie('logged hours in the window: of the records, in the ledger', number('input_hours'), number('ledger_hours')),
    ...amounts.map(({ name, label }) =>
      tie(
        `${label} in the window, expenses included: before rounding, as rounded on each line`,
        number(`exact_${name}`).plus(number(`exact_expense_${name}`)),
        number(`${name}_by_project`).plus(number(`expense_${name}`)),
        true,
      ),
    ),
  ];
}

function compileTies(query: Query, amounts: typeof AMOUNTS): string {
  const window = isInWindow(askedOf(query), 'date');
  const labour = `FROM core.ledger
  WHERE ${window} AND status <> ${statusLiteral('canceled')} AND kind <> ${kindLiteral('expense')}`;
  const each = (...columns: readonly ((name: string, exact: string) => string)[]) =>
    amounts.flatMap(({ name, exact }) => columns.map((column) => column(name, exact))).join(', ');
  const sumsBy = (key: string, unit: string) => `(
  SELECT ${each((name) => `SUM(${name}) AS ${name}_by_${unit}`)}
  FROM (SELECT ${each((name) => `SUM(${name}) AS ${name}`)} ${labour} GROUP BY ${key}) AS groups
)`;
  return `
WITH people AS ${sumsBy('people_id', 'person')},
projects AS ${sumsBy('project_id', 'project')},
lines AS (
  SELECT SUM(CASE WHEN kind = ${kindLiteral('actual')} THEN hours END) AS ledger_hours, ${each((name, exact) => `SUM(${exact}) AS exact_${name}`)}
  ${labour}
),
records AS (SELECT SUM(hours) AS input_hours FROM source.logged_time WHERE ${window}),
expenses AS (
  SELECT ${each(
    (name) => `SUM(${name}) AS expense_${name}`,
    (name) => `SUM(unrounded_${name}) AS exact_expense_${name}`,
  )}
  FROM core.expense_lines WHERE ${window}
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN lines CROSS JOIN records CROSS JOIN expenses`;
}

/** @throws AppError check when two numbers differ that must not: no answer is better than a quiet wrong one. */
export function assertTies(ties: readonly Tie[]): void {
  const broken = ties.find(({ ok }) => !ok);
  if (!broken) return;
  throw new AppError('check', `The report does not tie out (${broken.check}): ${broken.left} against ${broken.right}`, {
    hint: 'No numbers are shown, because they would be wrong. Please report this, with the query and the data version.',
  });
}
