import type { FastifyBaseLogger } from 'fastify';
import type { PublishedGenerations } from '../../generation/generations.ts';
import type { KeptGenerations } from '../../history/kept-generations.ts';
import type { Metrics } from '../protocol/metrics.ts';
import type { DeliveriesListener, RunningDeliveries, ServerParts, StartDeliveries } from '../protocol/server-parts.ts';

/** Starts deliveries, if there are any. Their reports take the permits of one reader. */
export async function openDeliveries(
  start: StartDeliveries | undefined,
  generations: PublishedGenerations,
  kept: KeptGenerations,
  { now, semaphores, metrics }: Pick<ServerParts, 'now' | 'semaphores' | 'metrics'>,
  log: FastifyBaseLogger,
): Promise<RunningDeliveries | undefined> {
  if (!start) return undefined;
  const permits = [semaphores.open, semaphores.running];
  return start({ generations, kept, now, permits, listener: tellDeliveries(log, metrics.watchDeliveries) });
}

/** Reports events of deliveries in the log and the metrics. Their targets are recipients, which the log of operators may name. */
function tellDeliveries(log: FastifyBaseLogger, watch: Metrics['watchDeliveries']): DeliveriesListener {
  const count = watch();
  return {
    sent(name, key, result, why) {
      count(name, result);
      if (why === undefined) log.info({ delivery: name, target: key }, result);
      else log.error({ delivery: name, target: key }, `${result}: ${why}`);
    },
    held(name, why) {
      count(name, 'held');
      log.error({ delivery: name }, `not sent: ${why}`);
    },
    fileChanged(fault) {
      if (fault === undefined) log.info('reads the deliveries again');
      else log.error(`The deliveries have a fault, so the earlier ones are kept: ${fault}`);
    },
  };
}
