import { AppError } from '../../base/index.ts';
import { LIVE_LIMITS, type Live, type LiveSource, openLive } from '../../store/live/index.ts';
import type { CommandContext } from './command.ts';

/** Live data that a sync on the command line fills. */
export interface SyncedData {
  readonly live: Live;
  readonly source: LiveSource;
  /** Publishes and closes the data. @throws AppError if it can't be published. */
  close(): Promise<void>;
}

/**
 * Opens live data that a sync fills and publishes as soon as it is complete.
 * @param options.goesOn True if more runs follow, so that a publication that fails is told at once, and not at the end.
 */
export async function openSyncedData(
  source: LiveSource,
  { stderr, now }: CommandContext,
  { goesOn }: { readonly goesOn: boolean },
): Promise<SyncedData> {
  let fault: string | undefined;
  const live = await openLive(source, {
    limits: LIVE_LIMITS,
    publishEveryMs: 0,
    isSynced: true,
    now,
    listener: {
      refreshed: () => undefined,
      refreshFailed: (message) => stderr.print(`The numbers can't be brought up to date: ${message}`),
      published() {
        fault = undefined;
      },
      publishFailed(message) {
        if (goesOn && message !== fault) stderr.print(`The data can't be published, and is tried again: ${message}`);
        fault = message;
      },
      dayFailed: (message) => stderr.print(message),
    },
  });
  return {
    live,
    source,
    async close() {
      await live.close();
      if (fault === undefined) return;
      throw new AppError('storage', `The records are synced but not published. ${fault}`, {
        hint: 'The published files are as they were. Once that is mended, sync again: it publishes the records, too.',
      });
    },
  };
}
