import { createSerialQueue } from '../../database/serial-queue.ts';
import { AppError } from '../../error.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { findSchema } from '../message/target-key.ts';
import { publishMarts } from '../postgres/publish-marts.ts';
import { usePublishedCopy } from '../postgres/published-copy.ts';
import type { SendingContext } from './sending-context.ts';

/** One publication after the other: each computes all marts, and two into one schema would refuse each other and remove each other's copies. */
const inTurn = createSerialQueue();

/**
 * Publishes marts of the present data, whose version the schema names: a repeat after a load has the newer ones, and never takes
 * the tables back to earlier data. @throws AppError source; usage without the optional packages.
 */
export async function sendToPostgres(
  { key, marts, hasRates }: Extract<DeliveryMessage, { kind: 'postgres' }>,
  { database, plan }: SendingContext,
): Promise<'sent'> {
  const target = findSchema(plan.targets, key);
  if (!target) {
    throw new AppError('source', 'deliveries.yaml has no schema of PostgreSQL with this address any more', {
      hint: 'Put it back, or let the occurrence end.',
    });
  }
  const { server: url, schema, readers } = target;
  const place = { url, schema, readers, marts: marts === 'all' ? undefined : marts };
  const copy = { database, hasRates, target: key.replace(/\W/g, '-') };
  await inTurn(() => usePublishedCopy(copy, (source) => publishMarts(source, place)));
  return 'sent';
}
