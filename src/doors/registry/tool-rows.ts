import type { Table } from '../../numbers/report/catalogue/index.ts';
import type { ParameterSchema } from '../../numbers/report/describe/describe-catalogue.ts';
import { describeMeta, type RowObjects, readRowObjects } from '../../numbers/write/index.ts';
import { MAX_TOOL_BYTES } from './tool.ts';

/** Reads the rows that an answer to a model holds. */
export function readToolRows(table: Table): Promise<RowObjects> {
  return readRowObjects(table, MAX_TOOL_BYTES);
}

/** Returns the metadata of an answer; a report whose checks fail has none, so that their number is enough. */
export function metaOfAnswer(table: Table): object {
  return { ...describeMeta(table), checks: undefined, checks_held: table.meta.checks.length };
}

const objects: ParameterSchema = { type: 'array', items: { type: 'object' } };

export const ROWS_SCHEMA: ParameterSchema = {
  type: 'object',
  properties: {
    rows: { ...objects, description: 'Decimals are strings with all their digits; null is unknown or missing.' },
    totals: { type: ['object', 'null'], description: 'The sums over all rows, also those that are not shown.' },
    row_count: { type: ['integer', 'null'], description: 'The number of rows on all pages, if it was counted.' },
    truncated: { type: 'boolean', description: 'True if there are more rows than these.' },
    next: { type: ['object', 'null'], description: 'The arguments to change for the next rows.' },
    more: { type: ['string', 'null'], description: 'How to read the rest.' },
    meta: {
      type: 'object',
      description:
        'The parameters as understood, the columns with labels and units, currency, data version, and notes.',
    },
  },
  required: ['rows', 'truncated', 'meta'],
};
