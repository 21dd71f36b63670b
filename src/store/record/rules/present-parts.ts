import { findResource } from '../../../records/resource/index.ts';
import { describeRecord, type Row } from '../node.ts';
import { selectRecords } from '../storage/select.ts';
import type { Present, Rules } from './rules.ts';

/**
 * Presents the parts of records, in the order and form of their own list.
 * @param id The column of the part that references the whole.
 * @param name The name of the list in the answer.
 * @param resource The resource of the parts.
 * @param present The computed fields of the parts.
 */
export function presentParts(
  id: 'project_id' | 'phase_id' | 'invoice_id',
  name: string,
  resource: string,
  present?: Rules['present'],
): Present {
  return async (reader, wholes, seesRates) => {
    const part = reader.resourceOf?.(resource) ?? findResource(resource);
    const ids = wholes.map((whole) => Number(whole[id]));
    const found = await reader.rows<Row>(selectRecords(part, { where: `${id} IN (${ids.join(', ')})` }));
    const computed = found.length > 0 ? await present?.read(reader, found, seesRates) : undefined;
    const parts = found.map((row, index) => ({
      whole: row[id],
      node: { ...describeRecord(part, row, seesRates), ...computed?.[index] },
    }));
    return ids.map((each) => ({ [name]: parts.filter(({ whole }) => whole === each).map(({ node }) => node) }));
  };
}
