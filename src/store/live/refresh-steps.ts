import { type Database, quoteText } from '../../base/database/index.ts';
import { areOutlined, type RefreshSteps } from '../../numbers/model/index.ts';
import type { ChangedRecord } from '../record/storage/changes.ts';
import type { PendingChanges } from './live-state.ts';

/** Returns whether records have changed since the models were built or refreshed, or the models were never built. */
export async function isOutdated(database: Database, pending: PendingChanges): Promise<boolean> {
  return (await pending.hasAny(database)) || (await areOutlined(database));
}

/** Returns the steps that refresh the models; the last change sets the data version. */
export function refreshSteps(baseVersion: string, pending: PendingChanges): RefreshSteps {
  let last: ChangedRecord | undefined;
  return {
    async readChanges(session) {
      const changes = await pending.read(session);
      last = changes.at(-1);
      return changes;
    },
    async finish(session) {
      if (!last) return;
      await session.run(`
        UPDATE service.state SET refreshed_change_id = ${last.change_id};
        UPDATE source.generation
        SET data_version = ${quoteText(`${baseVersion}.${last.change_id}`)}, loaded_at = TIMESTAMP ${quoteText(last.changed_at)}`);
    },
  };
}
