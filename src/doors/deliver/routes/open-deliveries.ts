import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { readSettings } from '../../../base/config/index.ts';
import type { Metrics } from '../../http/protocol/metrics.ts';
import type { ServerParts } from '../../http/protocol/server-parts.ts';
import type { ServedData, ServedDeliveries } from '../served-deliveries.ts';
import { DELIVERY_SETTINGS } from '../setup/deliveries-file.ts';

/** Starts deliveries, if there is a file of them. Their reports take the permits of one reader. */
export async function openDeliveries(
  { config, flags, published, kept, now, semaphores, metrics }: ServerParts,
  log: FastifyBaseLogger,
): Promise<ServedDeliveries | undefined> {
  const { deliveriesFile } = readSettings(DELIVERY_SETTINGS, flags, process.env);
  if (deliveriesFile === undefined) return undefined;
  // A server without deliveries starts without their libraries.
  const { serveDeliveries } = await import('../served-deliveries.ts');
  const permits = [semaphores.open, semaphores.running];
  const listener = tellDeliveries(log, metrics);
  const data = { generations: published, kept, now, permits, listener };
  return serveDeliveries(resolve(deliveriesFile), resolve(config.database), data);
}

/** Reports events of deliveries in the log and the metrics. Their targets are recipients, which the log of operators may name. */
function tellDeliveries(log: FastifyBaseLogger, metrics: Metrics): ServedData['listener'] {
  const count = metrics.addCounter(
    'plumbline_deliveries_total',
    'Sendings of deliveries by result (sent, accepted, retrying, failed), and occurrences that are held.',
    ['delivery', 'result'],
  );
  return {
    sent(name, key, result, why) {
      count({ delivery: name, result });
      if (why === undefined) log.info({ delivery: name, target: key }, result);
      else log.error({ delivery: name, target: key }, `${result}: ${why}`);
    },
    held(name, why) {
      count({ delivery: name, result: 'held' });
      log.error({ delivery: name }, `not sent: ${why}`);
    },
    resumed(name) {
      log.info({ delivery: name }, 'goes on');
    },
    fileChanged(fault) {
      if (fault === undefined) log.info('reads the deliveries again');
      else log.error(`The deliveries have a fault, so the earlier ones are kept: ${fault}`);
    },
  };
}
