import type { Value } from '../../base/database/index.ts';
import type { OrderExpression } from '../../numbers/condition/index.ts';
import { keyProperties } from './key.ts';
import { formatPlace, formatStart, type PageStart, placeLiteral } from './page-start.ts';
import type { RowQuery } from './row-query.ts';
import type { RowSource } from './row-source.ts';

/** The rows of a page, unless the client prefers fewer. Unit: rows. */
export const MAX_PAGE_ROWS = 10_000;

export interface PagePlan {
  readonly sql: string;
  /** The most rows of the statement: one more than the page, to see whether more follow. */
  readonly statementRows: number;
  /** Splits the statement's rows. @param version The version of the data that it read. */
  read(rows: readonly (readonly Value[])[], version: string): RowPage;
}

export interface RowPage {
  /** Rows that begin with the values of the selected properties. */
  readonly rows: readonly (readonly Value[])[];
  /** The indices of the key's values in a row. */
  readonly keyAt: readonly number[];
  readonly count: number | undefined;
  /** The $skiptoken of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Plans a page. @param preferred The most rows that the client wants. */
export function planPage(source: RowSource, query: RowQuery, preferred: number = MAX_PAGE_ROWS): PagePlan {
  const { select, filter, order, start, hasCount, top, skip } = query;
  const wanted = start?.left ?? top ?? Number.POSITIVE_INFINITY;
  const rows = Math.min(wanted, preferred, MAX_PAGE_ROWS);
  const limit = wanted > rows ? rows + 1 : rows;
  const key = keyProperties(source);
  // Reading a column takes longer than finding it.
  const columns = [...new Set([...select, ...key, ...order].map(({ sql }) => sql))];
  const placesOf = (expressions: readonly { readonly sql: string }[]) =>
    expressions.map(({ sql }) => columns.indexOf(sql));
  const orderAt = placesOf(order);
  const conditions = [...(filter === undefined ? [] : [filter]), ...(start ? [isAfter(order, start.after)] : [])];
  const offset = start || skip === 0 ? '' : ` OFFSET ${skip}`;
  const page = `SELECT ${columns.map((sql, index) => `${sql} AS c${index}`).join(', ')}, TRUE AS is_row
FROM ${source.from} ${where(conditions)}
ORDER BY ${orderBy(order, ({ sql }) => sql)}
LIMIT ${limit}${offset}`;
  const isCounting = hasCount && typeof start?.count !== 'number';
  const counting = `SELECT page.*, counted.count
FROM (${countSql(source, query)}) AS counted LEFT JOIN (${page}) AS page ON TRUE
ORDER BY ${orderBy(order, (_, index) => `c${orderAt[index]}`)}`;
  return {
    sql: isCounting ? counting : page,
    statementRows: Math.max(limit, 1),
    read(read, version) {
      const found = isCounting ? read.filter((values) => values[columns.length] === true) : read;
      const count = isCounting ? Number(read[0]?.at(-1) ?? 0) : (start?.count ?? undefined);
      const last = found.length > rows ? found[rows - 1] : undefined;
      const left = Number.isFinite(wanted) ? wanted - rows : null;
      const after = orderAt.map((index) => last?.[index] ?? null);
      return {
        rows: found.slice(0, rows),
        keyAt: placesOf(key),
        count: hasCount ? count : undefined,
        next: last && formatStart({ version, left, count: count ?? null, after: formatPlace(after) }),
      };
    },
  };
}

export function countSql({ from }: RowSource, { filter }: Pick<RowQuery, 'filter'>): string {
  return `SELECT COUNT(*) AS count FROM ${from} ${where(filter === undefined ? [] : [filter])}`;
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Orders as OData does: null comes before every other value. */
function orderBy(
  order: readonly OrderExpression[],
  columnOf: (item: OrderExpression, index: number) => string,
): string {
  const items = order.map((item, index) => {
    return `${columnOf(item, index)} ${item.isDescending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
  });
  return items.join(', ');
}

/** Returns the condition of the rows after a place: beyond it in the first column, or equal there and beyond it in the rest. */
function isAfter(order: readonly OrderExpression[], after: PageStart['after']): string {
  const condition = order.reduceRight((isAfterInOthers, item, index) => {
    const value = after[index] ?? null;
    return `(${isBeyond(item, value)} OR (${isEqual(item, value)} AND ${isAfterInOthers}))`;
  }, 'FALSE');
  const [first] = order;
  const begins = first && after[0] != null && !first.isDescending ? [`${first.sql} >= ${sqlOf(first, after[0])}`] : [];
  // The condition on the first column lets the engine skip the rows stored before it.
  return [...begins, condition].join(' AND ');
}

function isEqual(item: OrderExpression, value: string | null): string {
  return value === null ? `${item.sql} IS NULL` : `${item.sql} = ${sqlOf(item, value)}`;
}

function isBeyond(item: OrderExpression, value: string | null): string {
  const { sql, isDescending } = item;
  if (value === null) return isDescending ? 'FALSE' : `${sql} IS NOT NULL`;
  const literal = sqlOf(item, value);
  return isDescending ? `(${sql} < ${literal} OR ${sql} IS NULL)` : `${sql} > ${literal}`;
}

function sqlOf({ kind }: OrderExpression, value: string | null): string {
  return placeLiteral(kind, value);
}
