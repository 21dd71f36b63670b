import { quoteText, type Value } from '../database/database.ts';
import { AppError } from '../error.ts';
import { isDay } from '../resource/field.ts';
import { buildCondition } from './filter.ts';
import { checkColumns, type Query } from './parameters.ts';
import { dateLiteral } from './period.ts';
import { isInWindow, kindLiteral, type QuerySql, querySqlOf } from './query-sql.ts';
import type { Column } from './table.ts';

export interface CompiledList {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Counts the rows of all pages; undefined when no page is requested. */
  readonly countSql: string | undefined;
  /** Returns the cursor after the page; takes up to limit + 1 rows. Undefined without a limit. */
  readonly readCursor: ((rows: readonly (readonly Value[])[]) => string | undefined) | undefined;
}

/** The order of lines and the content of a cursor: a date and the line's unique id. */
const ORDER = ['date', 'line_id'];

/** The same lines without names, which spares the count its joins. */
const COUNTED = 'marts.ledger';

/** Compiles a report that lists. Every window includes the rows without a date. */
export function compileList(query: Query, querySql: QuerySql = querySqlOf(query)): CompiledList {
  const { report } = query;
  const columns = Object.entries(report.list ?? {}).map(([name, column]) => ({
    name,
    label: column.label,
    unit: column.unit,
    description: column.description,
    needsRates: column.needs_rates ?? false,
    better: undefined,
  }));
  checkColumns(
    query,
    columns.map(({ name }) => name),
  );
  const shown = query.fields?.flatMap((field) => columns.filter(({ name }) => name === field)) ?? columns;
  const isPaged = hasLines(query);
  const sorted = (query.sort ?? []).map(({ column, isDescending }) => `"${column}" ${isDescending ? 'DESC' : 'ASC'}`);
  const order = [...sorted, ...(isPaged ? ORDER : (report.sort ?? []).map((name) => `"${name}" NULLS FIRST`))];
  const limit = isPaged && query.limit !== undefined ? `LIMIT ${query.limit + 1}` : pageLimit(query);
  const from = `FROM ${report.relation} AS listed
WHERE ${buildConditions(query, querySql)}`;
  const sql = `SELECT ${shown.map(({ name }) => `"${name}"`).join(', ')}
${from}
ORDER BY ${order.join(', ')} ${limit}`;
  return {
    sql,
    columns: shown,
    countSql: query.perPage === undefined ? undefined : `SELECT COUNT(*) AS count ${from}`,
    readCursor: isPaged && query.limit !== undefined ? cursorReader(query, shown) : undefined,
  };
}

/**
 * Compiles an upper bound of the lines on each day, with the columns date and count.
 * Undefined unless the report lists all lines in their own order, the only one that goes day by day.
 * Ignores the status: nearly all lines have a listed one, and a check multiplies the time.
 */
export function compileDays(query: Query, querySql: QuerySql = querySqlOf(query)): string | undefined {
  const isWhole = query.limit === undefined && query.perPage === undefined && query.sort === undefined;
  if (!hasLines(query) || !isWhole) return undefined;
  return `SELECT date, COUNT(*) AS count
FROM ${COUNTED} AS listed
WHERE ${[isInWindow(querySql, 'date'), ...narrowing(query)].join('\n  AND ')}
GROUP BY date
ORDER BY date`;
}

function hasLines({ report }: Query): boolean {
  return report.parameters?.includes('cursor') ?? false;
}

function buildConditions(query: Query, querySql: QuerySql): string {
  const window = isInWindow(querySql, 'date');
  const conditions = hasLines(query)
    ? [window, `(kind <> ${kindLiteral('scheduled')} OR ${querySql.hasStatus('status')})`]
    : [`(${window} OR date IS NULL)`];
  return [...conditions, ...narrowing(query)].join('\n  AND ');
}

function narrowing({ report, filters, cursor }: Query): string[] {
  return [
    ...filters.map((filter) => buildCondition(filter, report, 'listed')),
    ...(cursor ? [afterCursor(cursor)] : []),
  ];
}

function pageLimit({ page, perPage }: Query): string {
  return perPage === undefined ? '' : `LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`;
}

function cursorReader(query: Query, columns: readonly Column[]): CompiledList['readCursor'] {
  const [date = -1, id = -1] = ORDER.map((name) => columns.findIndex((column) => column.name === name));
  if (date < 0 || id < 0 || query.sort) {
    throw wrongParameter('limit', 'limit needs the lines in their own order, with the columns date and line_id', {
      hint: 'Leave out sort, and name date and line_id in fields; or use page and per-page.',
    });
  }
  return (rows) => {
    const last = rows.length > (query.limit ?? 0) ? rows[(query.limit ?? 0) - 1] : undefined;
    return last ? Buffer.from(JSON.stringify([last[date], last[id]])).toString('base64url') : undefined;
  };
}

function afterCursor(cursor: string): string {
  const [date, id] = parseCursor(cursor);
  if (typeof date !== 'string' || !isDay(date) || typeof id !== 'string') {
    throw wrongParameter('cursor', `cursor: ${JSON.stringify(cursor)} is not a cursor of this report`, {
      hint: 'Give next_cursor of the page before, unchanged, or leave cursor out to begin.',
    });
  }
  return `(date > ${dateLiteral(date)} OR date = ${dateLiteral(date)} AND line_id > ${quoteText(id)})`;
}

function parseCursor(cursor: string): unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(position) ? position : [];
  } catch {
    return [];
  }
}

function wrongParameter(field: string, message: string, { hint }: { hint: string }): AppError {
  return new AppError('usage', message, { fields: [{ field, message }], hint });
}
