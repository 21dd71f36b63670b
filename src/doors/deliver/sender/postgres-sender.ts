import { AppError } from '../../../base/index.ts';
import { publishMarts } from '../../postgres/publish-marts.ts';
import { usePublishedCopy } from '../../postgres/published-copy.ts';
import type { DeliveryMessage } from '../message/delivery-message.ts';
import { findSchema } from '../message/target-key.ts';
import type { SendingContext } from './sending-context.ts';

/**
 * Publishes marts of the present data, whose version the schema names: a repeat after a load has the newer ones, and never takes
 * the tables back to earlier data. @throws AppError source; usage without the optional packages.
 */
export async function sendToPostgres(
  { key, marts, hasRates }: Extract<DeliveryMessage, { kind: 'postgres' }>,
  context: SendingContext,
): Promise<'sent'> {
  const { database, plan, compute } = context;
  const target = findSchema(plan.targets, key);
  if (!target) {
    throw new AppError('source', 'deliveries.yaml has no schema of PostgreSQL with this address any more', {
      hint: 'Put it back, or let the occurrence end.',
    });
  }
  const { server: url, schema, readers } = target;
  const place = { url, schema, readers, marts: marts === 'all' ? undefined : marts };
  const copy = { database, hasRates, target: key.replace(/\W/g, '-') };
  await usePublishedCopy(copy, (source) => publishMarts({ ...source, compute }, place, context));
  return 'sent';
}
