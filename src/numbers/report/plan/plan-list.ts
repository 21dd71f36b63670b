import type { Calendar } from '../../../base/calendar/index.ts';
import { isBesidePlan, readComputedKinds } from '../../relation/line-kinds.ts';
import type { Attribute } from '../catalogue/catalogue.ts';
import type { Column } from '../catalogue/table.ts';
import { afterCursor, type CursorReader, cursorReader, LINE_ORDER } from '../request/line-cursor.ts';
import { checkColumns, type Presentation, type Query, type Selection } from '../request/query.ts';
import { feeParts } from '../source/agreed-fees.ts';
import { kindColumn } from '../source/compared-lines.ts';
import { filterConditions } from '../source/filter.ts';
import { orderOf } from '../source/name-order.ts';
import { namedLinesBeside } from '../source/named-revenue.ts';
import { isInWindow, kindLiteral, type QuerySql, querySqlOf } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { planSummary } from './plan-summary.ts';

export interface ListPlan {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Counts the rows of all pages; undefined when no page is requested. */
  readonly countSql: string | undefined;
  /** Returns the cursor after the page; takes up to limit + 1 rows. Undefined without a limit. */
  readonly readCursor: CursorReader | undefined;
}

/** Plans a report that lists. Every window includes the rows without a date. */
export function planList(query: Query, calendar: Calendar, querySql: QuerySql = querySqlOf(query.selection)): ListPlan {
  const { selection, presentation } = query;
  const { report } = selection;
  const source = stateSource(selection);
  const listed = Object.entries(report.list ?? {}).filter(
    ([, { internal }]) => !(presentation.isStatement && internal),
  );
  const columns = listColumns(Object.fromEntries(listed));
  checkColumns(
    query,
    columns.map(({ name }) => name),
  );
  const shown = presentation.fields?.flatMap((field) => columns.filter(({ name }) => name === field)) ?? columns;
  const isPaged = hasLines(selection);
  const sorted = askedOrder(query, columns);
  const order = [...sorted, ...(isPaged ? LINE_ORDER : (report.sort ?? []).map((name) => `"${name}" NULLS FIRST`))];
  const limit =
    isPaged && presentation.limit !== undefined ? `LIMIT ${presentation.limit + 1}` : pageLimit(presentation);
  const lines = computesLines(selection)
    ? linesBeside(query, calendar, querySql)
    : { with: '', from: source.relation('named_lines') };
  const from = `FROM ${isPaged ? lines.from : source.alone.defined(report.relation ?? '')} AS listed
WHERE ${buildConditions(query, querySql)}`;
  const sql = `${lines.with}SELECT ${shown.map(({ name }) => (name === 'kind' && isPaged ? kindColumn(source) : `"${name}"`)).join(', ')}
${from}
ORDER BY ${order.join(', ')} ${limit}`;
  return {
    sql,
    columns: shown,
    countSql: presentation.perPage === undefined ? undefined : `${lines.with}SELECT COUNT(*) AS count ${from}`,
    readCursor: isPaged && presentation.limit !== undefined ? cursorReader(query, shown) : undefined,
  };
}

export function listColumns(list: Readonly<Record<string, Attribute>>): Column[] {
  return Object.entries(list).map(([name, { label, unit, description, needs_rates }]) => ({
    name,
    label,
    unit,
    description,
    needsRates: needs_rates ?? false,
    better: undefined,
  }));
}

/** The column by which all lines are listed in spans. */
export type SpanColumn = 'date' | 'project_id';

/** Returns the column of the spans; undefined unless all lines are listed in their own order or by project. */
export function spanColumn({ selection, presentation }: Query): SpanColumn | undefined {
  const isWhole = presentation.limit === undefined && presentation.perPage === undefined;
  if (!hasLines(selection) || computesLines(selection) || !isWhole) return undefined;
  if (presentation.sort === undefined) return 'date';
  const [first] = presentation.sort;
  return first?.column === 'project_id' && !first.isDescending ? 'project_id' : undefined;
}

/**
 * Compiles an upper bound of the lines of each key, with the columns key and count.
 * Ignores the names, which spares the joins, and the status: nearly all lines have a listed one, and a check multiplies the time.
 */
export function compileCounts(
  query: Query,
  column: SpanColumn,
  querySql: QuerySql = querySqlOf(query.selection),
): string {
  return `SELECT CAST(${column} AS VARCHAR) AS key, COUNT(*) AS count
FROM ${stateSource(query.selection).relation('lines')} AS listed
WHERE ${[isInWindow(querySql, 'date'), ...narrowing(query)].join('\n  AND ')}
GROUP BY ${column}
ORDER BY ${column}`;
}

/** Tests whether kinds are asked whose lines no table stores. */
function computesLines({ kinds = [] }: Selection): boolean {
  return readComputedKinds().some(({ name }) => kinds.includes(name));
}

/** Returns the lines of a query with those beside the ledger, by its cutoff and statuses (K4, I2), and the clauses that they read. */
function linesBeside(query: Query, calendar: Calendar, querySql: QuerySql) {
  const plan: SummaryPlan = {
    ...planSummary(query, calendar, querySql),
    amounts: ['earned_fee', 'amount'],
    hasFixedDays: true,
  };
  const hasRevenue = plan.source.contracts !== 'none';
  return {
    with: hasRevenue ? `WITH ${feeParts(plan, 'by line').join(',\n')}\n` : '',
    from: namedLinesBeside(plan, hasRevenue),
  };
}

function hasLines({ report }: Selection): boolean {
  return report.parameters?.includes('cursor') ?? false;
}

export function buildConditions(query: Query, querySql: QuerySql): string {
  const window = isInWindow(querySql, 'date');
  const conditions = hasLines(query.selection)
    ? [window, `(${isBesidePlan()} OR ${querySql.hasStatus('status')})`]
    : [`(${window} OR date IS NULL)`];
  return [...conditions, ...narrowing(query)].join('\n  AND ');
}

function narrowing({ selection, presentation: { cursor } }: Query): string[] {
  const { projects, kinds } = selection;
  return [
    ...(kinds ? [`listed.kind IN (${kinds.map(kindLiteral).join(', ')})`] : []),
    ...(projects ? [`listed.project_id BETWEEN ${BigInt(projects.first)} AND ${BigInt(projects.last)}`] : []),
    ...filterConditions(selection, 'listed'),
    ...(cursor ? [afterCursor(cursor)] : []),
  ];
}

export function pageLimit({ page, perPage }: Presentation): string {
  return perPage === undefined ? '' : `LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
}

export function askedOrder({ presentation }: Query, columns: readonly Column[]): string[] {
  return (presentation.sort ?? []).flatMap(({ column, isDescending }) => {
    const found = columns.find(({ name }) => name === column);
    return found ? orderOf(found, isDescending) : [];
  });
}
