import { createSerialQueue } from '../database/serial-queue.ts';
import { fullMessageOf } from '../error.ts';
import { makeAlarm } from '../live/watch.ts';
import type { LiveSource, LiveWitness } from './live.ts';

/** Publishes live data when it has changed, and not too often. */
export interface Publisher {
  /** Publishes at once where nothing is published yet; soon where something else is. */
  begin(dataVersion: string): Promise<void>;
  /** Is told which version the data has now. */
  note(dataVersion: string): void;
  /** Publishes what isn't published yet. */
  close(): Promise<void>;
}

/**
 * Opens the publisher. A publication that fails leaves the files as they were, and is tried again.
 * @param everyMs The least time from the beginning of one publication to the next.
 * @param whenFresh Runs the moment from which on what is published stands, when the numbers are up to date and nobody writes.
 */
export function openPublisher(
  { publish, publishedVersion }: Pick<LiveSource, 'publish' | 'publishedVersion'>,
  everyMs: number,
  witness: Pick<LiveWitness, 'published' | 'publishFailed'>,
  whenFresh: (moment: () => Promise<void>) => Promise<void>,
): Publisher {
  let published = publishedVersion;
  let current = published;
  let startedAt = Number.NEGATIVE_INFINITY;
  const publishChanged = async () => {
    if (current === published) return;
    startedAt = performance.now();
    let version = published;
    try {
      await publish((moment) =>
        whenFresh(async () => {
          version = current;
          await moment();
        }),
      );
      published = version;
      witness.published(String(version), (performance.now() - startedAt) / 1000);
    } catch (error) {
      witness.publishFailed(fullMessageOf(error));
    }
    if (current !== published) alarm.ring(everyMs);
  };
  const inTurn = createSerialQueue();
  const publishNow = () => inTurn(publishChanged);
  const dueInMs = () => Math.max(0, startedAt + everyMs - performance.now());
  // A publication that takes longer than the time between two may have begun after the alarm was set.
  const publishDue = () =>
    inTurn(async () => {
      const waitMs = dueInMs();
      if (waitMs > 0) alarm.ring(waitMs);
      else await publishChanged();
    });
  const alarm = makeAlarm(publishDue);
  const note = (dataVersion: string) => {
    current = dataVersion;
    if (current !== published) alarm.ring(dueInMs());
  };
  return {
    async begin(dataVersion) {
      note(dataVersion);
      if (published === undefined) await publishNow();
    },
    note,
    async close() {
      await alarm.close();
      await publishNow();
    },
  };
}
