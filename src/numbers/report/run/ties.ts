import { LRUCache } from 'lru-cache';
import { AppError, Exact, type ExactDecimal, FEWEST_SUM_DECIMALS, tupleKey } from '../../../base/index.ts';
import { countsAs, isLabour, isOfResource } from '../../relation/line-kinds.ts';
import type { Company } from '../catalogue/company-settings.ts';
import type { Tie, TieWords } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { filterConditions } from '../source/filter.ts';
import { canFilterMonths, MONTH_KEYS, sumsAndLines } from '../source/month-sums.ts';
import { isInWindow, querySqlOf, statusLiteral } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import type { ReportContext } from './context.ts';

/** A comparison of two numbers, with the visibility of its numbers. */
export interface Comparison extends Pick<Tie, 'check' | 'words'> {
  readonly left: string;
  readonly right: string;
  readonly ok: boolean;
  /** True for costs, which a failure shows in the log alone. */
  readonly isCost: boolean;
  /** True for numbers from outside the filters; readers see only the result. */
  readonly isBeyondFilter: boolean;
}

const HOURS = { name: 'hours', label: 'hours', needsRates: false };

const AMOUNTS = [
  {
    name: 'cost',
    label: 'cost',
    roundedOff: 'pl_rounded_off(hours, cost_rate, cost)',
    needsRates: true,
  },
  {
    name: 'fee',
    label: 'fees',
    roundedOff: 'CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END',
    needsRates: false,
  },
];

/** The most tie-outs kept for a generation of the data. Unit: windows of days with their filters. */
const MAX_KEPT_TIES = 100;

type ReadTies = Promise<readonly Comparison[]>;

/**
 * Tie-outs by open generation, then by statement and part: the views of a part have the names of the relations. Requests share the
 * logged days of a generation, but not its database, nor all of its settings: a reader of a part isn't told the name of a kept state.
 */
const keptTies = new WeakMap<Company['loggedDays'], LRUCache<string, ReadTies>>();

/**
 * Reads the tie-outs of the filtered ledger: labour hours, cost and fees by person against those by project, and rounding.
 * Those by person are of single lines, the others of the sums of whole months, which most reports read.
 * Rounding is reported and never fails. Logged records have no project (D8): their hours are
 * compared with the whole ledger, whatever the filters.
 * Costs are compared only for readers who see them.
 * Reads them once for all reports of a window, which a screen or a workbook shows together. If the request that reads them is aborted,
 * those that wait for it read again.
 */
export function readTies(context: Pick<ReportContext, 'database' | 'company'>, query: Query): ReadTies {
  const { database } = context;
  const { loggedDays } = context.company;
  const kept = keptTies.get(loggedDays) ?? new LRUCache<string, ReadTies>({ max: MAX_KEPT_TIES });
  keptTies.set(loggedDays, kept);
  const amounts = AMOUNTS.filter(({ needsRates }) => query.selection.seesRates || !needsRates);
  const sql = compileTies(query, amounts);
  const key = tupleKey(sql, query.selection.part?.key);
  const found = kept.get(key);
  if (found) return found.catch(() => readTies(context, query));
  const reading = database
    .rows<Record<string, string>>(sql)
    .then(([row]) => compareSums(row ?? {}, amounts, query.selection.filters.length > 0));
  kept.set(key, reading);
  reading.catch(() => kept.delete(key));
  return reading;
}

/** @param isFiltered True if the logged hours are compared beyond the filters. */
function compareSums(
  row: Readonly<Record<string, string>>,
  amounts: typeof AMOUNTS,
  isFiltered: boolean,
): Comparison[] {
  const number = (name: string) => new Exact(row[name] ?? 0);
  const compare = (
    words: TieWords,
    left: ExactDecimal,
    right: ExactDecimal,
    visibility: Partial<Comparison>,
  ): Comparison => ({
    ...nameTie(words),
    left: formatTied(left),
    right: formatTied(right),
    ok: left.equals(right),
    isCost: false,
    isBeyondFilter: false,
    ...visibility,
  });
  return [
    ...[HOURS, ...amounts].map(({ name, label, needsRates }) =>
      compare(
        { subject: `labour ${label} in the window`, sides: ['sum by person', 'sum by project'] },
        number(`${name}_by_person`),
        number(`${name}_by_project`),
        { isCost: needsRates },
      ),
    ),
    compare(
      { subject: 'logged hours in the window', sides: ['source records', 'ledger lines'] },
      number('input_hours'),
      number('ledger_hours'),
      { isBeyondFilter: isFiltered },
    ),
    ...amounts.map(({ name, label, needsRates }) =>
      compare(
        {
          subject: `${label} in the window, expenses included`,
          sides: ['before rounding', 'as rounded on each line'],
          isRounding: true,
        },
        number(`${name}_by_project`)
          .plus(number(`${name}_rounded_off`))
          .plus(number(`exact_expense_${name}`)),
        number(`${name}_by_project`).plus(number(`expense_${name}`)),
        { ok: true, isCost: needsRates },
      ),
    ),
  ];
}

function formatTied(sum: ExactDecimal): string {
  return sum.toFixed(Math.max(FEWEST_SUM_DECIMALS, sum.decimalPlaces()));
}

function compileTies({ selection }: Query, amounts: typeof AMOUNTS): string {
  const source = stateSource(selection).alone;
  const window = isInWindow(querySqlOf(selection), 'date');
  const isCounted = `status <> ${statusLiteral('canceled')}`;
  const filters = filterConditions(selection, 'ledger')
    .map((condition) => ` AND ${condition}`)
    .join('');
  const isLabourShown = `${isCounted} AND ${isLabour()}${filters}`;
  const each = (...columns: readonly ((name: string, roundedOff: string) => string)[]) =>
    amounts.flatMap(({ name, roundedOff }) => columns.map((column) => column(name, roundedOff))).join(', ');
  const sumsOf = (suffix: string, ...columns: readonly ((name: string) => string)[]) =>
    [`SUM(hours) AS hours${suffix}`, each((name) => `SUM(${name}) AS ${name}${suffix}`, ...columns)].join(', ');
  const off = (name: string) => `SUM(${name}_rounded_off) AS ${name}_rounded_off`;
  const roundedOff = each((name, expression) => `${expression} AS ${name}_rounded_off`);
  const lines = `(SELECT *, ${roundedOff} FROM ${source.relation('ledger')} WHERE ${window})`;
  const shared = ['kind', ...MONTH_KEYS, 'hours', each((name) => name)];
  const byMonth = canFilterMonths(selection)
    ? sumsAndLines(source, selection, [], {
        ofMonths: [...shared, each((name) => `${name}_rounded_off`)],
        ofLines: [...shared, roundedOff],
      })
    : undefined;
  const expenses = `SELECT project_expense_id FROM ${lines} AS ledger WHERE ${isCounted} AND ${isOfResource('project_expenses')}${filters}`;
  return `
WITH people AS (
  SELECT ${sumsOf('_by_person')}
  FROM (SELECT ${sumsOf('')} FROM ${lines} AS ledger WHERE ${isLabourShown} GROUP BY people_id) AS groups
),
projects AS (
  SELECT ${sumsOf('_by_project', off)}
  FROM (SELECT ${sumsOf('', off)} FROM ${byMonth ?? lines} AS ledger WHERE ${isLabourShown} GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM ${lines} AS ledger WHERE ${isCounted} AND ${countsAs('work')}),
records AS (SELECT SUM(hours) AS input_hours FROM ${source.relation('logged_hours')} WHERE ${window}),
expenses AS (
  SELECT ${each(
    (name) => `SUM(${name}) AS expense_${name}`,
    (name) => `SUM(unrounded_${name}) AS exact_expense_${name}`,
  )}
  FROM ${source.relation('expenses')} WHERE ${window}${filters === '' ? '' : ` AND project_expense_id IN (${expenses})`}
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses`;
}

/** Returns the words of a comparison, and the sentence of them. */
export function nameTie(words: TieWords): Pick<Tie, 'check' | 'words'> {
  return { check: `${words.subject}: ${words.sides.join(', ')}`, words };
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
  { check, left, right, isCost, isBeyondFilter }: Omit<Comparison, 'ok' | 'words'>,
): AppError {
  const numbers = `${left} against ${right}`;
  const isSecret = isCost || isBeyondFilter;
  return new AppError('check', `The ${subject} does not tie out (${check})${isSecret ? '' : `: ${numbers}`}`, {
    ...(isSecret && { evidence: numbers }),
    hint: 'No numbers are shown, because they would be wrong. Please report this, with the query and the data version.',
  });
}

export function describeTies(comparisons: readonly Comparison[]): Tie[] {
  return comparisons.map(({ check, words, left, right, ok, isBeyondFilter }) =>
    isBeyondFilter ? { check, words, ok } : { check, words, left, right, ok },
  );
}
