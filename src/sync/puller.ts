import type { Pulled, PullState } from '../pull/pulled.ts';

/** A source of records. */
export interface Puller {
  /** The service, as shown to people. */
  readonly url: string;
  /**
   * Reads the records that may have changed since a run.
   * @param state The state of that run; undefined reads everything.
   */
  pull(state: PullState | undefined, isFull: boolean): Promise<Pulled>;
  /** Returns the records, missing from a list, that are really gone: pages may shift while they are read. */
  confirmGone(resource: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Removes the pulled records, once they are in the database or refused. */
  finish(): Promise<void>;
}
