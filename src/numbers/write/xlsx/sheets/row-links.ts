import { columnLetters, quoteSheet, type SheetPart } from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import type { RowRange } from './row-ranges.ts';
import type { TableFacts } from './worker-messages.ts';

/** A written table to whose rows others link. */
export interface LinkTarget extends Pick<TableFacts, 'sheet' | 'columns' | 'layout'> {
  readonly ranges: ReadonlyMap<string, RowRange>;
}

/** The values of a row with the counts that it links to, and whether the sheet had room for all of the links. */
export interface LinkedRow {
  readonly values: readonly Value[];
  readonly isLinked: boolean;
}

/** Links a row to the rows that it counts. */
export type RowLinker = (part: SheetPart, values: readonly Value[], row: number) => LinkedRow;

/** Returns the linker of a table to rows of tables that are written; undefined if it has no links. */
export function rowLinker(facts: TableFacts, tables: readonly LinkTarget[]): RowLinker | undefined {
  const linked = (facts.layout.linked ?? []).flatMap(({ column, sheet }) => {
    const place = facts.columns.findIndex(({ name }) => name === column);
    const table = tables.find((each) => each.sheet === sheet);
    const key = facts.columns.findIndex(({ name }) => name === table?.layout.groupedBy);
    if (!table || place < 0 || key < 0) return [];
    return [{ place, key, table, last: columnLetters(table.columns.length - 1) }];
  });
  if (linked.length === 0) return undefined;
  return (part, values, row) => {
    const filled = [...values];
    let isLinked = true;
    for (const { place, key, table, last } of linked) {
      const range = table.ranges.get(String(values[key] ?? null));
      filled[place] = String(range?.count ?? 0);
      if (!range) continue;
      const hasRoom = part.link({
        cell: `${columnLetters(place)}${row}`,
        to: `${quoteSheet(range.sheet)}!A${range.first}:${last}${range.last}`,
        tip: `Rows ${range.first} to ${range.last} of ${range.sheet}`,
      });
      isLinked &&= hasRoom;
    }
    return { values: filled, isLinked };
  };
}
