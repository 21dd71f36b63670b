import type { RowFilter } from './mapping.ts';
import { matchesFile } from './mapping.ts';
import { foldWord } from './notation.ts';
import type { ValueAt } from './row-value.ts';

/** Tells whether a row meets a condition. */
type IsMet = (valueAt: ValueAt) => boolean;

/** Returns the test of a condition. @param placeOf Returns the place of a column. */
export function openCondition({ column, texts }: RowFilter, placeOf: (column: string) => number): IsMet {
  const place = placeOf(column);
  const folded = texts.map(foldWord);
  return (valueAt) => {
    const text = foldWord(valueAt(place)?.text ?? '');
    return folded.some((pattern) => matchesFile(pattern, text));
  };
}
