import { fullMessageOf } from '../../base/index.ts';
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
 * A failed publication leaves the files unchanged, and is retried.
 */
export async function publish(live: LiveContext): Promise<void> {
  if (isUnpublished(live)) await live.freezes(() => publishFrozen(live)).catch(() => undefined);
}

/**
 * Publishes every answered write, and works on the published files, which stay as they are meanwhile.
 * @param atMoment Called at the moment that the files show, before any later write.
 * @throws what the publication failed with.
 */
export function publishNow<T>(live: LiveContext, atMoment: () => void, work: () => Promise<T>): Promise<T> {
  return live.freezes(async () => {
    await publishFrozen(live, atMoment);
    return work();
  });
}

/** Freezes the file when the numbers show every write and nobody writes, and copies it beside later writes. */
async function publishFrozen(live: LiveContext, atMoment: () => void = () => {}): Promise<void> {
  const { source, listener, limits } = live;
  const startedAt = performance.now();
  let againMs = live.publishEveryMs;
  live.publishedAtMs = startedAt;
  try {
    let version: string | undefined;
    await whenFresh(live, async () => {
      atMoment();
      if (!isUnpublished(live)) return;
      await source.freeze();
      version = live.current.company.dataVersion;
    });
    if (version === undefined) return;
    await source.publish();
    live.published = version;
    listener.published(version, (performance.now() - startedAt) / 1000);
  } catch (error) {
    againMs = Math.max(againMs, limits.refreshRetryMs);
    listener.publishFailed(fullMessageOf(error));
    throw error;
  } finally {
    if (isUnpublished(live)) live.publication.schedule(againMs);
  }
}
