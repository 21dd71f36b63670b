import type { Database } from '../database/database.ts';
import { type ChangedRecord, readChanges } from '../record/storage/changes.ts';

/** Changes that the models don't show yet. */
export interface PendingChanges {
  /** Keeps the changes of a transaction in memory. */
  add(changes: readonly ChangedRecord[]): void;
  /** Returns the pending changes that a session sees, in order. */
  read(session: Pick<Database, 'rows'>): Promise<readonly ChangedRecord[]>;
}

/** The most changes kept in memory; more are read back from the database. Unit: changes. */
export const MAX_KEPT_CHANGES = 10_000;

/** Pending changes, as SQL over service.changes. */
const PENDING = 'change_id > (SELECT refreshed_change_id FROM service.state)';

/**
 * Makes the list of pending changes.
 * The table service.changes decides, because a refresh shows exactly what its session sees.
 * Changes not kept here, or written before the start, are read from that table.
 */
export function makePendingChanges(): PendingChanges {
  const kept = new Map<number, ChangedRecord>();
  return {
    add(changes) {
      for (const change of changes) if (kept.size < MAX_KEPT_CHANGES) kept.set(change.change_id, change);
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
