import { fullMessageOf } from '../error.ts';
import { isUnpublished, type LiveContext, publicationWaitMs } from './live-context.ts';
import { whenFresh } from './refreshing.ts';

/** Publishes the data if a publication is due. A long one may have begun since this one was scheduled. */
export async function publishDue(live: LiveContext): Promise<void> {
  const waitMs = publicationWaitMs(live);
  if (waitMs > 0) live.publication.schedule(waitMs);
  else await publish(live);
}

/**
 * Publishes the data if it has changed: its file is frozen when the numbers show every write and nobody writes, and copied beside the writes.
 * A publication that fails leaves the files as they were, and is tried again.
 */
export async function publish(live: LiveContext): Promise<void> {
  if (!isUnpublished(live)) return;
  const { source, listener } = live;
  const startedAt = performance.now();
  live.publishedAtMs = startedAt;
  try {
    let version = '';
    await whenFresh(live, async () => {
      await source.freeze();
      version = live.current.company.dataVersion;
    });
    await source.publish();
    live.published = version;
    listener.published(version, (performance.now() - startedAt) / 1000);
  } catch (error) {
    listener.publishFailed(fullMessageOf(error));
  }
  if (isUnpublished(live)) live.publication.schedule(live.publishEveryMs);
}
