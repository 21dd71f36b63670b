import type { JsonRecord } from './merged-values.ts';

/** The place of a row before rows are joined: its file among those of the resource, from 0, and its number there, from 1. */
export interface RowPlace {
  readonly file: number;
  readonly row: number;
}

/** The key of the place that an item of a list is from: no member of its JSON. */
const PLACE = Symbol('place');

type PlacedItem = JsonRecord & { [PLACE]?: RowPlace };

/** Returns an item that remembers the row it is from; copies of it do, too. */
export function withPlace(item: JsonRecord, place: RowPlace): JsonRecord {
  return Object.assign(item, { [PLACE]: place });
}

/** Returns the row that an item is from. */
export function placeOfItem(item: JsonRecord): RowPlace | undefined {
  return (item as PlacedItem)[PLACE];
}
