import { Exact, type ExactDecimal, mapInTurns, sortInTurns } from '../../../base/index.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { lacksRecord, type NamedKey, namedKeys, type TableRow } from '../run/unknown-ids.ts';

interface SizedRow {
  readonly row: TableRow;
  readonly size: ExactDecimal;
}

/** The rows of one first dimension, and their sum. */
interface SizedGroup {
  readonly rank: number;
  readonly order: number;
  size: ExactDecimal;
  readonly rows: SizedRow[];
}

/**
 * Sorts rows by size, unless the request sorts them: largest first, those of no project and of unknown ids last.
 * Rows of one first dimension stay together, and periods in their order.
 * @param rankOf The rank of a row by the id of its first dimension, before its size; the lowest comes first.
 */
export async function orderRows(
  query: Query,
  columns: readonly Column[],
  rows: readonly TableRow[],
  rankOf: (id: string) => number = () => 0,
): Promise<readonly TableRow[]> {
  const { grouping, presentation } = query;
  const [first, ...others] = grouping.dimensions;
  const hasOwnOrder = query.selection.report.sort?.some((name) => name.startsWith('-')) ?? false;
  const { sizes } = query.selection.catalogue.workbook;
  const size = sizes.map((name) => columns.findIndex((column) => column.name === name)).find((place) => place >= 0);
  const key = namedKeys(query, columns).find(({ dimension }) => dimension === first);
  if (presentation.sort || hasOwnOrder || grouping.hasSubtotals || !first || first.period || size === undefined || !key)
    return rows;
  const groups = new Map<string, SizedGroup>();
  await mapInTurns(rows, (row) => {
    const id = String(row[key.id] ?? '');
    const group = groups.get(id) ?? { rank: certaintyOf(row, key), order: rankOf(id), size: new Exact(0), rows: [] };
    const own = new Exact(String(row[size] ?? 0));
    group.size = group.size.plus(own);
    group.rows.push({ row, size: own });
    groups.set(id, group);
  });
  const keepsRows = grouping.interval !== undefined || others.some(({ period }) => period);
  const sorted = await sortInTurns(
    [...groups.values()],
    (a, b) => a.rank - b.rank || a.order - b.order || b.size.comparedTo(a.size),
  );
  const ordered: SizedRow[] = [];
  for (const group of sorted) {
    const own = keepsRows ? group.rows : await sortInTurns(group.rows, (a, b) => b.size.comparedTo(a.size));
    for (const each of own) ordered.push(each);
  }
  return ordered.map(({ row }) => row);
}

/** Ranks what has a record before what is of nothing, and that before unknown ids. */
function certaintyOf(row: TableRow, key: NamedKey): number {
  const id = row[key.id] ?? null;
  if (id === null || String(id) === '0') return 1;
  return lacksRecord(row, key) ? 2 : 0;
}
