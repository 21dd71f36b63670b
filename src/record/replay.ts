import { quoteText } from '../database.ts';
import { AppError } from '../error.ts';
import type { RecordNode, Row } from './node.ts';
import { describeRows } from './read.ts';
import type { Kind } from './records.ts';
import { selectRecords } from './select.ts';
import type { Transaction, Writer } from './transaction.ts';

/** For how long the key of a request is known. Unit: hours. */
export const IDEMPOTENCY_HOURS = 24;

/**
 * The records that an earlier request of the same key has made, as they are now; undefined when there was none.
 * @throws AppError input when that request was another one, or what it made is deleted.
 */
export async function findReplay(
  transaction: Transaction,
  kind: Kind,
  { key, hash }: NonNullable<Writer['idempotency']>,
): Promise<RecordNode[] | undefined> {
  const { writer, at } = transaction;
  const [found] = await transaction.rows<{
    change_id: number;
    request_hash: string;
    record_id: string;
    resource: string;
  }>(`
    SELECT change_id, request_hash, record_id, resource FROM service.changes
    WHERE idempotency_key = ${quoteText(key)} AND token_id = ${quoteText(writer.id)}
      AND changed_at > TIMESTAMP ${quoteText(at)} - INTERVAL ${IDEMPOTENCY_HOURS} HOURS`);
  if (!found) return undefined;
  const fault = (message: string) =>
    new AppError('input', message, { fields: [{ field: 'Idempotency-Key', message }] });
  if (found.request_hash !== hash || found.resource !== kind.shape.resource.name)
    throw fault('Idempotency-Key: it was sent with another request; take a new one');
  const rows = await transaction.rows<Row>(
    selectRecords(kind.shape, { where: `CAST(${kind.shape.id} AS VARCHAR) = ${quoteText(found.record_id)}` }),
  );
  if (rows.length === 0) throw fault('Idempotency-Key: what was made with it is deleted; take a new one');
  return describeRows(transaction, kind, rows, { fields: undefined, expand: [] }, writer.seesRates);
}
