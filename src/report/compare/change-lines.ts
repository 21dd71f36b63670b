import type { Calendar } from '../../calendar/day.ts';
import { filterConditions } from '../plan/filter.ts';
import { lineKeys } from '../plan/lines.ts';
import type { SqlColumn } from '../plan/measure.ts';
import { list, type SummaryPlan } from '../plan/plan-summary.ts';
import { isInWindow, kindLiteral } from '../plan/query-sql.ts';

/** A state of the data that is compared, with the qualifier of its relations. */
interface Side {
  readonly name: 'then' | 'now';
  readonly catalog: string;
  readonly calendar: Calendar;
}

/** The sides of a comparison: the open database, and another one that is attached to it. */
export function sidesOf(now: Calendar, attached: string, then: Calendar): readonly [then: Side, now: Side] {
  return [
    { name: 'then', catalog: `${attached}.`, calendar: then },
    { name: 'now', catalog: '', calendar: now },
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

/** Those that reveal a cost. */
const COST_COLUMNS = ['cost_rate', 'cost'];

/** The columns that find a line in the other state: the record, and of a scheduled line its day and person. */
const IDENTITY: readonly SqlColumn[] = [
  { name: 'kind', expression: 'ledger.kind' },
  {
    name: 'record_id',
    expression: `COALESCE(CASE WHEN ledger.kind = ${kindLiteral('scheduled')} THEN ledger.task_id ELSE ledger.project_expense_id END, 0)`,
  },
  { name: 'logged_id', expression: `COALESCE(ledger.logged_time_id, '')` },
  {
    name: 'scheduled_date',
    expression: `CASE WHEN ledger.kind = ${kindLiteral('scheduled')} THEN ledger.date ELSE pl_first_day() END`,
  },
  {
    name: 'scheduled_for',
    expression: `CASE WHEN ledger.kind = ${kindLiteral('scheduled')} THEN ledger.people_id ELSE 0 END`,
  },
];

const RECORD = ['kind', 'record_id', 'logged_id'];

/** Returns the columns of the lines of both states, keys included, in `then_lines` and `now_lines`. */
export function sideColumns(plan: SummaryPlan): string[] {
  return [...comparedColumns(plan), 'is_selected', 'line_id', 'kind'];
}

/** Returns the columns in which two lines must be equal to be the same line, unchanged. */
function comparedColumns(plan: SummaryPlan): string[] {
  const costs = plan.query.selection.seesRates ? COST_COLUMNS : [];
  return [...LINE_COLUMNS, ...costs, ...sideKeys(plan, plan.calendar).map(({ name }) => name)];
}

/** Returns the keys that a line has by its day and by what it refers to, with the tags of its project. */
function sideKeys(plan: SummaryPlan, calendar: Calendar): SqlColumn[] {
  const { keys } = lineKeys({ ...plan, calendar });
  const own = keys.filter(({ expression }) => expression !== 'ledger.billable');
  return plan.hasOverlap ? [...own, { name: 'tags', expression: 'tagged.tags' }] : own;
}

/**
 * Returns the lines of both states that may differ (`then_lines`, `now_lines`): all lines of each record of which a
 * line in the window, and within the filters, has no equal line in the other state.
 * @param alsoNow The condition of further lines of the present state.
 */
export function changedLineParts(plan: SummaryPlan, sides: readonly [Side, Side], alsoNow = 'FALSE'): string[] {
  const compared = comparedColumns(plan);
  const names = IDENTITY.map(({ name }) => name);
  const differs = `(${list(compared.map((name) => `then_window.${name}`))}) IS DISTINCT FROM (${list(compared.map((name) => `now_window.${name}`))})`;
  return [
    ...sides.map((side) => windowPart(plan, side)),
    `touched AS (
  SELECT DISTINCT ${list(RECORD)}
  FROM then_window FULL JOIN now_window USING (${list(names)})
  WHERE then_window.date IS NULL OR now_window.date IS NULL OR ${differs} OR ${alsoNow}
)`,
    ...sides.map((side) => linesPart(plan, side)),
  ];
}

/** Selects the lines of a state in the window that the filters let through, whatever their billability and status. */
function windowPart(plan: SummaryPlan, side: Side): string {
  const conditions = [isInWindow(plan.querySql, 'ledger.date'), ...filtersOf(plan, side)];
  return `${side.name}_window AS (
  SELECT ${list(aliased(IDENTITY), selectedColumns(plan, side))}
  FROM ${side.catalog}core.ledger AS ledger ${joinsOf(plan, side)}
  WHERE ${conditions.join('\n    AND ')}
)`;
}

/** The id of a line's record in the ledger, by kind, and the column of `touched` that has it. */
const RECORD_IDS = [
  { kind: 'scheduled', own: 'task_id', touched: 'record_id' },
  { kind: 'actual', own: 'logged_time_id', touched: 'logged_id' },
  { kind: 'expense', own: 'project_expense_id', touched: 'record_id' },
] as const;

/**
 * Selects the lines of all records that are touched, wherever and whenever they are. Each kind is joined by its own column
 * alone, so that the engine takes the ids into the scan, and reads nothing else of the lines that have no such record.
 */
function linesPart(plan: SummaryPlan, side: Side): string {
  const conditions = [isInWindow(plan.querySql, 'ledger.date'), ...filtersOf(plan, side)];
  const lines = RECORD_IDS.map(
    ({
      kind,
      own,
      touched,
    }) => `SELECT ledger.kind, ledger.line_id, ledger.task_id, ${list(selectedColumns(plan, side))}, ${conditions.join(' AND ')} AS is_selected
  FROM ${side.catalog}core.lines AS ledger
  JOIN (SELECT ${touched} AS touched_id FROM touched WHERE kind = ${kindLiteral(kind)}) AS touched ON touched.touched_id = ledger.${own} ${joinsOf(plan, side)}
  WHERE ledger.kind = ${kindLiteral(kind)}`,
  );
  return `${side.name}_lines AS (
  ${lines.join('\n  UNION ALL\n  ')}
)`;
}

/** Returns the filters of a side, but for that of billable lines: it depends on a step of the line. */
function filtersOf({ query: { selection } }: SummaryPlan, { catalog }: Side): string[] {
  const filters = selection.filters.filter(({ parameter }) => parameter.filter !== BILLABLE);
  return filterConditions({ ...selection, filters }, 'ledger', catalog);
}

/** The attribute of a line that a step changes, of rows and filters. */
export const BILLABLE = 'ledger.billable';

function selectedColumns(plan: SummaryPlan, { calendar }: Side): string[] {
  const costs = plan.query.selection.seesRates ? COST_COLUMNS : [];
  const own = [...LINE_COLUMNS, ...costs].map((name) =>
    // The words of the sources are those of the records of each state.
    name === 'cost_rate_source' ? `CAST(ledger.${name} AS VARCHAR) AS ${name}` : `ledger.${name}`,
  );
  return [...own, ...aliased(sideKeys(plan, calendar))];
}

function joinsOf(plan: SummaryPlan, { catalog }: Side): string {
  const { joins } = lineKeys(plan, (relation) => `${catalog}${relation}`);
  const tags = `LEFT JOIN (
    SELECT project_id, string_agg(tag, chr(10) ORDER BY tag) AS tags FROM ${catalog}marts.project_tags GROUP BY project_id
  ) AS tagged ON tagged.project_id = ledger.project_id`;
  return [...joins, ...(plan.hasOverlap ? [tags] : [])].join('\n  ');
}

function aliased(columns: readonly SqlColumn[]): string[] {
  return columns.map(({ name, expression }) => `${expression} AS ${name}`);
}
