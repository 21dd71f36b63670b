import type { Database } from '../../base/database/index.ts';
import type { AppError } from '../../base/index.ts';
import { type ChangedRecord, readChanges } from '../record/storage/changes.ts';

export interface Fault {
  readonly error: AppError;
  /** Writes on disk when the refresh began. */
  readonly written: number;
  /** The time of the next attempt without another write, by performance.now(). Unit: ms. */
  readonly retryAtMs: number;
  /** True once the search for the failing record is finished or needless. */
  readonly isExplained: boolean;
  /** True if the cause is known: refreshes in progress would fail, and the next write starts another. */
  readonly isNamed: boolean;
}

/** Changes that the models don't show yet. */
export interface PendingChanges {
  /** Keeps the changes of a transaction in memory. */
  add(changes: readonly ChangedRecord[]): void;
  /** Returns whether a session sees a pending change. */
  hasAny(session: Pick<Database, 'rows'>): Promise<boolean>;
  /** Returns the pending changes that a session sees, in order. */
  read(session: Pick<Database, 'rows'>): Promise<readonly ChangedRecord[]>;
}

/** The most changes kept in memory; more are read back from the database. Unit: changes. */
export const MAX_KEPT_CHANGES = 10_000;

/** Pending changes, as SQL over service.changes. */
const PENDING = 'change_id > (SELECT refreshed_change_id FROM service.state)';

/** State of live data: shown <= refreshing <= written. Only the transitions of this file change it. */
export interface LiveState {
  /** Writes on disk. Unit: transactions. */
  readonly written: number;
  /** Writes covered by the refresh in progress; otherwise equal to `shown`. */
  readonly refreshing: number;
  /** Writes that the numbers show. */
  readonly shown: number;
  readonly pending: PendingChanges;
  /** The last failure, until a refresh succeeds. */
  readonly fault: Fault | undefined;
  /** Aborted when a write may mend the named cause of a fault. */
  readonly overtaken: AbortController;
}

/** Makes the state of a working database just opened: all changes that a crash left unrefreshed count as one write. */
export function makeState(): LiveState {
  return {
    written: 1,
    refreshing: 0,
    shown: 0,
    pending: makePendingChanges(),
    fault: undefined,
    overtaken: new AbortController(),
  };
}

/** The state, writable for the transitions. */
type Mutable = { -readonly [Name in keyof LiveState]: LiveState[Name] };

/** Returns whether the numbers show every write. */
export function isFresh({ shown, written }: LiveState): boolean {
  return shown === written;
}

/** -> written: a transaction is on disk. Called in its turn, so that reports requested from now on show it. */
export function noteWrite(state: LiveState, changes: readonly ChangedRecord[]): void {
  const next: Mutable = state;
  next.written += 1;
  next.pending.add(changes);
  if (!next.fault?.isNamed) return;
  next.overtaken.abort();
  next.overtaken = new AbortController();
}

/** written -> refreshing: a refresh of all writes begins. @returns how many. */
export function beginRefresh(state: LiveState): number {
  const next: Mutable = state;
  next.refreshing = next.written;
  return next.written;
}

/** refreshing -> shown: a refresh is committed. @param seen The writes that it covers. */
export function showRefresh(state: LiveState, seen: number): void {
  const next: Mutable = state;
  // Two refreshes may be in progress, one in a turn and one beside the queue.
  next.shown = Math.max(next.shown, seen);
  next.fault = undefined;
}

/** refreshing -> written: a refresh is aborted without a fault of its own. */
export function leaveRefresh(state: LiveState): void {
  const next: Mutable = state;
  next.refreshing = next.shown;
}

/** refreshing -> written, with a fault, whose known cause stays until the next write. @returns the fault. */
export function failRefresh(state: LiveState, failed: Omit<Fault, 'isNamed'>): Fault {
  const next: Mutable = state;
  leaveRefresh(state);
  const before = next.fault;
  const isSame = before?.written === failed.written && before.isExplained;
  next.fault = isSame ? { ...before, retryAtMs: failed.retryAtMs } : { ...failed, isNamed: false };
  return next.fault;
}

/** Gives a fault its explanation. @param isNamed True if it names the record that is the cause. */
export function explainFault(state: LiveState, fault: Fault, error: AppError, isNamed: boolean): void {
  const next: Mutable = state;
  next.fault = { ...fault, error, isExplained: true, isNamed };
}

/**
 * Makes the list of pending changes.
 * The table service.changes decides, because a refresh shows exactly what its session sees.
 * Changes not kept here, or written before the start, are read from that table.
 */
function makePendingChanges(): PendingChanges {
  const kept = new Map<number, ChangedRecord>();
  return {
    add(changes) {
      for (const change of changes) if (kept.size < MAX_KEPT_CHANGES) kept.set(change.change_id, change);
    },
    async hasAny(session) {
      const found = await session.rows(`SELECT 1 FROM service.changes WHERE ${PENDING} LIMIT 1`);
      return found.length > 0;
    },
    async read(session) {
      const ids = await session.rows<{ id: number }>(
        `SELECT change_id AS id FROM service.changes WHERE ${PENDING} ORDER BY id`,
      );
      const [first] = ids;
      if (first) for (const id of kept.keys()) if (id < first.id) kept.delete(id);
      const found = ids.flatMap(({ id }) => kept.get(id) ?? []);
      return found.length === ids.length ? found : readChanges(session, PENDING);
    },
  };
}
