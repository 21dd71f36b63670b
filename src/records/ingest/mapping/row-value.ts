import type { HeaderCell } from './header.ts';
import type { TranslationFault } from './notation.ts';

/** A value of a row: a text, or as the JSON of a number, true or false. */
export interface RowValue {
  readonly text: string;
  readonly isJson: boolean;
  /** A number as the file shows it, which is the value of a field of text: a code such as 007. */
  readonly shown?: string | undefined;
}

/** Reads a value of a row by its column's place, from 0; null for a blank one. */
export type ValueAt = (place: number) => RowValue | null;

/** A header, and the place of its column, from 0. */
export interface PlacedHeader extends HeaderCell {
  readonly at: number;
}

/** Makes a value of a row; null for none. */
export type MakeValue = (valueAt: ValueAt) => string | null | TranslationFault;

/** Reads the cells of several columns as one text with blanks between them. @param isText True for a field of text. */
export function joinCells(places: readonly number[], valueAt: ValueAt, isText = false): RowValue | null {
  const [first = 0] = places;
  if (places.length === 1) {
    const value = valueAt(first);
    return isText && value?.shown !== undefined ? { text: value.shown, isJson: false } : value;
  }
  const texts = shownTexts(places, valueAt).flatMap((text) => text.trim() || []);
  return texts.length === 0 ? null : { text: texts.join(' '), isJson: false };
}

/** Reads the texts of several cells as the file shows them, blank ones as empty texts. */
export function shownTexts(places: readonly number[], valueAt: ValueAt): string[] {
  return places.map((place) => {
    const value = valueAt(place);
    return value?.shown ?? value?.text ?? '';
  });
}
