import { MAX_PART_IDS, PART_FILTERS, type PartFilters } from '../../numbers/report/source/index.ts';

const ID = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const IDS = { ...ID, type: ['integer', 'array'], minItems: 1, maxItems: MAX_PART_IDS, items: ID };

/** The JSON Schema of an object that is a part of the data: filters of reports, each with an id or a list. */
export const PART_SCHEMA = {
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(PART_FILTERS.map((filter) => [filter, IDS])),
};

/** A part as files have it. */
export type WrittenPart = Readonly<Record<string, number | readonly number[]>>;

export function readWrittenPart(written: WrittenPart): PartFilters {
  return Object.fromEntries(Object.entries(written).map(([filter, ids]) => [filter, [ids].flat()]));
}
