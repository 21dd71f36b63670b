import type { Value } from '../../../../base/database/index.ts';
import { AppError } from '../../../../base/index.ts';
import type { TableFacts } from './worker-messages.ts';

/** The consecutive rows of a key. */
export interface RowRange {
  /** The sheet with the first of them, and the rows there. */
  readonly sheet: string;
  readonly first: number;
  readonly last: number;
  /** The rows on all sheets. */
  readonly count: number;
}

export interface RowRanges {
  add(values: readonly Value[], sheet: string, row: number): void;
  /** Returns the ranges by key as text. */
  read(): ReadonlyMap<string, RowRange>;
}

/**
 * Opens the ranges of a table; they stay empty if its rows aren't grouped.
 * add() throws AppError internal if the rows of a key aren't consecutive.
 */
export function openRowRanges({ columns, layout, sheet: name }: TableFacts): RowRanges {
  const place = columns.findIndex((column) => column.name === layout.groupedBy);
  const ranges = new Map<string, { sheet: string; first: number; last: number; count: number }>();
  let current: Value | undefined;
  let range = { sheet: '', first: 0, last: 0, count: 0 };
  return {
    add(values, sheet, row) {
      if (place < 0) return;
      const key = values[place] ?? null;
      if (key !== current || ranges.size === 0) {
        current = key;
        range = { sheet, first: row, last: row, count: 0 };
        if (ranges.has(String(key)))
          throw new AppError('internal', `The rows of ${layout.groupedBy} ${key} are not consecutive on ${name}`);
        ranges.set(String(key), range);
      }
      range.count += 1;
      if (range.sheet === sheet) range.last = row;
    },
    read: () => ranges,
  };
}
