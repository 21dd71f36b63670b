import type { Calendar } from '../../../base/calendar/index.ts';
import { lineIdSql } from '../../relation/kind-columns.ts';
import { type KindOfLines, readLineKinds } from '../../relation/line-kinds.ts';
import { filterConditions } from '../source/filter.ts';
import { repeatedKeys } from '../source/lookups.ts';
import { isInWindow, kindLiteral } from '../source/query-sql.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { list } from '../source/sql-columns.ts';
import type { StateSource } from '../source/state-source.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineKeys } from '../source/window-lines.ts';

/** A state of the data that is compared. */
interface Side {
  readonly name: 'then' | 'now';
  readonly source: StateSource;
  readonly calendar: Calendar;
}

/** The sides of a comparison: the state of a plan, and an earlier one. */
export function sidesOf(
  { source, calendar }: SummaryPlan,
  earlier: StateSource,
  then: Calendar,
): readonly [then: Side, now: Side] {
  return [
    { name: 'then', source: earlier, calendar: then },
    { name: 'now', source, calendar },
  ];
}

/** The columns of a line that its measures read, or that decide where it counts. */
const LINE_COLUMNS = [
  'date',
  'people_id',
  'role_id',
  'project_id',
  'phase_id',
  'task_meta_id',
  'status',
  'billable',
  'hours',
  'cost_rate_source',
  'bill_rate',
  'fee',
];

/** A column that says where a rate came from, which makes no other line. */
const BILL_SOURCE = 'bill_rate_source';

/** Those that reveal a cost. */
const COST_COLUMNS = ['cost_rate', 'cost'];

/** Returns the columns of the lines of both states, keys included, in `then_lines` and `now_lines`. */
export function sideColumns(plan: SummaryPlan): string[] {
  return [
    ...comparedColumns(plan),
    BILL_SOURCE,
    ...(readsBills(plan) ? ['amount'] : []),
    'is_selected',
    'line_id',
    'kind',
  ];
}

/** Tests whether a plan reads amounts of bills, which stand beside the ledger. */
export function readsBills({ amounts }: Pick<SummaryPlan, 'amounts'>): boolean {
  return amounts.includes('amount');
}

/** Selects the lines of bills of a state in the columns of the ledger, with line_id and amount. */
export function selectBills({ source: { alone } }: SummaryPlan, state: StateSource): UnstoredLines {
  const from = `(
    SELECT *, CAST(NULL AS VARCHAR) AS line_id FROM ${alone.relation('ledger')} WHERE FALSE
    UNION ALL BY NAME
    SELECT * FROM ${state.relation('billing_lines')}
  )`;
  return { from, columns: ['amount'] };
}

/** Returns the columns in which two lines must be equal to be the same line, unchanged. */
function comparedColumns(plan: SummaryPlan): string[] {
  return [
    ...LINE_COLUMNS,
    ...plan.source.costs(...COST_COLUMNS),
    ...sideKeys(plan, plan.calendar).map(({ name }) => name),
  ];
}

/** Returns the keys that a line has by its day and by what it refers to, with the lists of those of which it has several. */
function sideKeys(plan: SummaryPlan, calendar: Calendar): SqlColumn[] {
  const { keys } = lineKeys({ ...plan, calendar });
  const own = keys.filter(({ expression }) => expression !== 'ledger.billable');
  return [...own, ...repeatedKeys(plan).map(({ relation }) => ({ name: relation, expression: `${relation}.tags` }))];
}

/** Lines that are compared although their own columns are equal, or although no ledger stores them. */
export interface FurtherLines {
  /** A relation of the records of stored ones, by kind of line. Default: there are none. */
  readonly records?: string;
  /** Returns those of a side that aren't stored. */
  select(side: Side['name']): readonly UnstoredLines[];
}

/** A relation of lines beside the ledger, with its columns and line_id. */
interface UnstoredLines {
  readonly from: string;
  /** Columns that other lines don't have. */
  readonly columns: readonly string[];
}

/**
 * Returns the lines of both states that may differ (`then_lines`, `now_lines`): all lines of each record of which a
 * line in the window, and within the filters, has no equal line in the other state.
 * @param alsoNow The condition of further lines of the present state.
 * @param further Further lines of either state. Default: none.
 */
export function changedLineParts(
  plan: SummaryPlan,
  sides: readonly [Side, Side],
  alsoNow = 'FALSE',
  further?: FurtherLines,
): string[] {
  const compared = comparedColumns(plan);
  const columnsOf = (window: string) => `(${list(compared.map((name) => `${window}.${name}`))})`;
  const differs = `${columnsOf('then_window')} IS DISTINCT FROM ${columnsOf('now_window')}`;
  const [then, now] = sides;
  return [
    // Each kind is compared apart, so that lines are joined by few and narrow columns.
    ...readLineKinds().map(
      (kind) => `touched_${kind.name} AS (
  SELECT DISTINCT ${kind.record.name}
  FROM (${selectWindow(plan, then, kind)}) AS then_window
  FULL JOIN (${selectWindow(plan, now, kind)}) AS now_window USING (${list([kind.record.name], kind.pairs)})
  WHERE then_window.date IS NULL OR now_window.date IS NULL OR ${differs} OR ${alsoNow}${
    further?.records
      ? `
  UNION SELECT ${kind.record.name} FROM ${further.records} WHERE kind = ${kindLiteral(kind.name)}`
      : ''
  }
)`,
    ),
    ...sides.map((side) => linesPart(plan, side, further?.select(side.name))),
  ];
}

/** Selects the lines of a kind in the window that the filters let through, whatever their billability and status. */
function selectWindow(plan: SummaryPlan, side: Side, { name, record }: KindOfLines): string {
  const conditions = [`ledger.kind = ${kindLiteral(name)}`, ...selectedBy(plan, side)];
  return `
    SELECT ledger.${record.name}, ${list(selectedColumns(plan, side))}
    FROM ${side.source.relation('ledger')} AS ledger ${joinsOf(plan, side)}
    WHERE ${conditions.join(' AND ')}
  `;
}

/** Selects the lines of all records that are touched, wherever and whenever they are. */
function linesPart(plan: SummaryPlan, side: Side, unstored: readonly UnstoredLines[] = []): string {
  // The view core.lines makes the id of every line before most of them are left out, half of the time of all.
  const select = (
    lineId: string,
  ) => `SELECT ledger.kind, ${lineId} AS line_id, ledger.task_id, CAST(ledger.${BILL_SOURCE} AS VARCHAR) AS ${BILL_SOURCE}, ${list(selectedColumns(plan, side))},
    ${selectedBy(plan, side).join(' AND ')} AS is_selected`;
  const lines = readLineKinds().map(
    (kind) => `${select(lineIdSql(kind, 'ledger'))}
  FROM ${side.source.relation('ledger')} AS ledger
  JOIN touched_${kind.name} AS touched ON touched.${kind.record.name} = ledger.${kind.record.name} ${joinsOf(plan, side)}
  WHERE ledger.kind = ${kindLiteral(kind.name)}`,
  );
  const others = unstored.map(
    ({ from, columns }) =>
      `${[select('ledger.line_id'), ...columns.map((name) => `ledger.${name}`)].join(', ')} FROM ${from} AS ledger ${joinsOf(plan, side)}`,
  );
  const all = [...lines, ...others];
  return `${side.name}_lines AS (
  ${all.join(readsBills(plan) ? '\n  UNION ALL BY NAME\n  ' : '\n  UNION ALL\n  ')}
)`;
}

/** Returns the conditions of the lines in the window that the filters let through. */
function selectedBy(plan: SummaryPlan, side: Side): string[] {
  return [isInWindow(plan.querySql, 'ledger.date'), ...filtersOf(plan, side)];
}

/** Returns the filters of a side, but for that of billable lines: it depends on a step of the line. */
function filtersOf({ query: { selection } }: SummaryPlan, { source }: Side): string[] {
  const filters = selection.filters.filter(({ parameter }) => parameter.filter !== BILLABLE);
  return filterConditions({ ...selection, filters }, 'ledger', source);
}

/** The attribute of a line that a step changes, of rows and filters. */
export const BILLABLE = 'ledger.billable';

function selectedColumns(plan: SummaryPlan, { source, calendar }: Side): string[] {
  const own = [...LINE_COLUMNS, ...source.costs(...COST_COLUMNS)].map((name) =>
    // The words of the sources are those of the records of each state.
    name === 'cost_rate_source' ? `CAST(ledger.${name} AS VARCHAR) AS ${name}` : `ledger.${name}`,
  );
  return [...own, ...aliased(sideKeys(plan, calendar))];
}

function joinsOf(plan: SummaryPlan, { source }: Side): string {
  const { joins } = lineKeys({ ...plan, source });
  const tags = repeatedKeys(plan).map(
    ({ relation, key, column }) => `LEFT JOIN (
    SELECT ${key}, string_agg(${column}, chr(10) ORDER BY ${column}) AS tags FROM ${source.relation(relation)} GROUP BY ${key}
  ) AS ${relation} ON ${relation}.${key} = ledger.${key}`,
  );
  return [...joins, ...tags].join('\n  ');
}

function aliased(columns: readonly SqlColumn[]): string[] {
  return columns.map(({ name, expression }) => `${expression} AS ${name}`);
}
