import { quoteText } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Row } from '../node.ts';
import type { ServedResource } from '../records.ts';
import type { Writer } from './changes.ts';
import type { Transaction } from './transaction.ts';

/** Lifetime of an idempotency key. Unit: hours. */
export const IDEMPOTENCY_HOURS = 24;

/**
 * Returns the current records of an earlier request with the same key; undefined if there is none.
 * @throws AppError input when that request had other content, or its records are deleted.
 */
export async function findReplay(
  transaction: Transaction,
  resource: ServedResource,
  { key, hash }: NonNullable<Writer['idempotency']>,
): Promise<Row[] | undefined> {
  const { writer, at } = transaction;
  const made = await transaction.rows<{ request_hash: string; record_id: string; resource: string }>(`
    SELECT request_hash, record_id, resource FROM service.changes
    WHERE idempotency_key = ${quoteText(key)} AND token_id = ${quoteText(writer.id)}
      AND changed_at > TIMESTAMP ${quoteText(at)} - INTERVAL ${IDEMPOTENCY_HOURS} HOURS`);
  const [found] = made;
  if (!found) return undefined;
  const fault = (message: string) =>
    new AppError('input', message, { fields: [{ field: 'Idempotency-Key', message }] });
  if (found.request_hash !== hash || found.resource !== resource.name)
    throw fault('Idempotency-Key: already used for another request; send a new one');
  const ids = made.map(({ record_id }) => quoteText(record_id)).join(', ');
  const rows = await transaction.records(resource, { where: `CAST(${resource.id} AS VARCHAR) IN (${ids})` });
  if (rows.length === 0) throw fault('Idempotency-Key: the record created with it has been deleted; send a new one');
  return rows;
}
