import { fullMessageOf } from '../error.ts';
import { isUnpublished, type LiveContext, publicationWaitMs } from './live-context.ts';
import { whenFresh } from './refreshing.ts';

/** Publishes the data if a publication is due: a long one may have begun after this was scheduled. */
export async function publishDue(live: LiveContext): Promise<void> {
  const waitMs = publicationWaitMs(live);
  if (waitMs > 0) live.publication.schedule(waitMs);
  else await publish(live);
}

/**
 * Publishes the data if it has changed.
 * The file is frozen when the numbers show every write and nobody writes, and copied beside later writes.
 * A failed publication leaves the files unchanged, and is retried.
 */
export async function publish(live: LiveContext): Promise<void> {
  if (!isUnpublished(live)) return;
  const { source, listener, limits } = live;
  const startedAt = performance.now();
  let againMs = live.publishEveryMs;
  live.publishedAtMs = startedAt;
  try {
    let version = '';
    await live.freezes(async () => {
      await whenFresh(live, async () => {
        await source.freeze();
        version = live.current.company.dataVersion;
      });
      await source.publish();
    });
    live.published = version;
    listener.published(version, (performance.now() - startedAt) / 1000);
  } catch (error) {
    againMs = Math.max(againMs, limits.refreshRetryMs);
    listener.publishFailed(fullMessageOf(error));
  }
  if (isUnpublished(live)) live.publication.schedule(againMs);
}
