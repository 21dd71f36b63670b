import { describeRecord, type Row } from '../node.ts';
import { findShape } from '../shape.ts';
import { selectRecords } from '../storage/select.ts';
import type { Present } from './rules.ts';

/**
 * Presents the records that are parts of others, in order, as their own list shows them.
 * @param id The column in which a part names what it is part of.
 * @param name The name of the list in the answer.
 * @param resource The resource of the parts.
 */
export function presentParts(id: 'project_id' | 'phase_id', name: string, resource: string): Present {
  return async (reader, wholes, seesRates) => {
    const part = reader.shapeOf?.(resource) ?? findShape(resource);
    const ids = wholes.map((whole) => Number(whole[id]));
    const found = await reader.rows<Row>(selectRecords(part, { where: `${id} IN (${ids.join(', ')})` }));
    return ids.map((whole) => ({
      [name]: found.filter((row) => row[id] === whole).map((row) => describeRecord(part, row, seesRates)),
    }));
  };
}
