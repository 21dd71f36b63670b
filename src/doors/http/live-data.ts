import type { FastifyBaseLogger } from 'fastify';
import { fullMessageOf } from '../../base/index.ts';
import { ageOf } from '../../store/generation/index.ts';
import { readHardClosed } from '../../store/history/index.ts';
import { type Live, type LiveSource, openLive } from '../../store/live/index.ts';
import type { ServerParts } from './protocol/server-parts.ts';

/** Opens live data, and reports its events in the log and the metrics. */
export async function openLiveData(
  source: LiveSource,
  { config, limits, metrics, now, sync }: Pick<ServerParts, 'config' | 'limits' | 'metrics' | 'now' | 'sync'>,
  log: FastifyBaseLogger,
): Promise<Live> {
  // A sync can't be refused.
  const closed = sync ? [] : await readHardClosed(config.database);
  const counts = metrics.watchLive();
  const live = await openLive(source, {
    limits,
    publishEveryMs: config.publishEverySeconds * 1000,
    isSynced: sync !== undefined,
    now,
    listener: {
      refreshed: counts.refreshed,
      refreshFailed(message) {
        counts.refreshFailed();
        log.error(`The numbers can't be brought up to date: ${message}`);
      },
      published(dataVersion, seconds) {
        counts.published(seconds);
        log.info({ dataVersion }, 'published a generation');
      },
      publishFailed(message) {
        counts.publishFailed();
        log.error(`The data can't be published: ${message}`);
      },
      dayFailed: (message) => log.error(message),
    },
  });
  counts.showPending(live.countPending);
  live.guard(closed);
  if (!sync) return live;
  const runs = metrics.watchSync(() => ageOf(live.generations.current().company.syncedAt, now()));
  const syncing = sync(live, {
    synced(summary) {
      runs.count('ok', summary);
      log.info({ new: summary.new, changed: summary.changed, gone: summary.gone }, 'synced with the source');
      for (const sentence of summary.closed ?? []) log.info(sentence);
      const { tieOut } = summary;
      if (tieOut) log[tieOut.differing > 0 ? 'error' : 'info'](tieOut.sentences.join(' '));
    },
    syncFailed(error) {
      runs.count('failed', undefined);
      log.error(`The source can't be synced: ${fullMessageOf(error)}`);
    },
  });
  const close = async () => {
    await syncing.close();
    await live.close();
  };
  return { ...live, close };
}
