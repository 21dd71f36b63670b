import { join } from 'node:path';
import { discardPulled, type OnProgress, type Pulled, type PullState, type SourceReader } from '../../pull/index.ts';
import { syncFolder } from '../generation/generation-files.ts';

export interface Puller {
  /** The service, as shown to people. */
  readonly url: string;
  /**
   * Reads the records that may have changed since a run.
   * @param state The state of that run; undefined reads everything.
   * @param whole Large lists that are read whole, whatever has changed.
   */
  pull(state: PullState | undefined, isFull: boolean, whole?: readonly string[]): Promise<Pulled>;
  /** Returns the records, missing from a list, that are really gone: pages may shift while they are read. */
  confirmGone(resource: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Removes the pulled records, once they are in the database or refused. */
  finish(): Promise<void>;
}

/**
 * Makes the puller of runs that fill a database.
 * @param file The path of the published database, beside which the records are on their way.
 * @param signal Ends the reading of the source.
 */
export function makePuller(
  reader: Pick<SourceReader, 'url' | 'pull' | 'confirmGone'>,
  file: string,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Puller {
  const folder = join(syncFolder(file), 'run');
  return {
    url: reader.url,
    pull: (state, isFull, whole = []) => reader.pull({ folder, state, isFull, whole }, signal, onProgress),
    confirmGone: (resource, ids) => reader.confirmGone(resource, ids, signal),
    finish: () => discardPulled(folder),
  };
}
