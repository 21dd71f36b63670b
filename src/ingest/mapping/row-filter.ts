import type { RowFilter } from './mapping.ts';
import { matchesFile } from './mapping.ts';
import { foldWord } from './notation.ts';
import type { ValueAt } from './row-value.ts';

/** Tells whether a row is read. */
export type IsRead = (valueAt: ValueAt) => boolean;

/**
 * Returns the test of a row: it meets every condition of `where`, and none of `skip`.
 * @param placeOf Returns the place of a column.
 */
export function openRowFilter(
  where: readonly RowFilter[],
  skip: readonly RowFilter[],
  placeOf: (column: string) => number,
): IsRead {
  const [wanted, unwanted] = [where, skip].map((filters) => filters.map((filter) => openCondition(filter, placeOf)));
  return (valueAt) =>
    (wanted ?? []).every((isMet) => isMet(valueAt)) && !(unwanted ?? []).some((isMet) => isMet(valueAt));
}

function openCondition({ column, texts }: RowFilter, placeOf: (column: string) => number): IsRead {
  const place = placeOf(column);
  const folded = texts.map(foldWord);
  return (valueAt) => {
    const text = foldWord(valueAt(place)?.text ?? '');
    return folded.some((pattern) => matchesFile(pattern, text));
  };
}
