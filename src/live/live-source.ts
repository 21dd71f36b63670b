import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Config, readVersion } from '../config/config.ts';
import { type Database, formatTime, quoteText } from '../database/database.ts';
import { createDataset } from '../ingest/ingest.ts';
import { openRefresher, type RefreshSteps } from '../model/refresh/refresh.ts';
import { closeToWrites, dropModels, prepareModels } from '../model/working.ts';
import type { ChangedRecord } from '../record/storage/changes.ts';
import { type Journal, openJournal } from '../record/storage/journal.ts';
import { prepareService } from '../record/storage/tables.ts';
import { UNSAID } from '../record/storage/unsaid.ts';
import { settings } from '../resource/company-resources.ts';
import { SQL_TYPES } from '../resource/field.ts';
import { resources } from '../resource/resources.ts';
import { describeGeneration, fillWithoutRates, sqlDirectory } from './generation-contents.ts';
import { journalFile, syncPath } from './generation-files.ts';
import type { PendingChanges } from './pending-changes.ts';
import { freezeWorking, openWorking, publishWorking } from './working-file.ts';

/** The data of a writable server, in its working file. */
export interface LiveSource {
  readonly database: Database;
  /** Writes that are on disk but not yet in the database. */
  readonly journal: Journal;
  /** Version of the published files; undefined when there are none. */
  readonly publishedVersion: string | undefined;
  /**
   * Updates everything derived from the records with all committed pending changes, in one transaction.
   * The result has a new data version; concurrent calls are serialized.
   * @param signal Aborts the refresh.
   * @throws AppError check when the numbers would not tie out; any failure leaves them unchanged.
   */
  refresh(pending: PendingChanges, signal: AbortSignal): Promise<void>;
  /** Returns whether a refresh would succeed after a change, and undoes both. Requires that nobody writes. */
  rehearse(
    change: (session: Database) => Promise<void>,
    pending: PendingChanges,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Freezes the file for a publication. Requires that nobody writes. */
  freeze(): Promise<void>;
  /** Publishes the frozen file and ends the freeze. */
  publish(): Promise<void>;
  /** Closes the data; further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Opens the working file of a database for a writable server, and connects its parts.
 * @throws AppError busy if another server owns it, storage if it can't be created or
 *   belongs to another database.
 */
export async function openLiveSource({ database: name, memoryLimitMib }: Config, now: Date): Promise<LiveSource> {
  const file = resolve(name);
  // Half of the memory goes to the working file, which computes reports; a quarter to publishing.
  const [workingMib, publishMib] = [Math.floor(memoryLimitMib / 2), Math.floor(memoryLimitMib / 4)];
  const { database, baseVersion, publishedVersion, close } = await openWorking(
    file,
    { memoryLimitMib: workingMib },
    { create: createDataset, definitions: digestDefinitions(), prepare: (opened) => prepareWorking(opened, now), now },
  );
  let journal: Journal | undefined;
  const closeAll = async () => {
    await journal?.close();
    await close();
  };
  try {
    journal = await openJournal(database, journalFile(file));
    await syncPath(dirname(file));
    const refresher = await openRefresher(database, sqlDirectory);
    return {
      database,
      journal,
      publishedVersion,
      refresh: (pending, signal) => refresher.refresh(refreshSteps(baseVersion, pending), signal),
      rehearse: (change, pending, signal) => refresher.rehearse(change, refreshSteps(baseVersion, pending), signal),
      freeze: () => freezeWorking(database),
      publish: () =>
        publishWorking(
          database,
          file,
          { memoryLimitMib: publishMib },
          {
            async generation(copy) {
              await closeToWrites(copy, sqlDirectory);
              await describeGeneration(copy);
            },
            withoutRates: fillWithoutRates,
          },
        ),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Rebuilds everything derived from the records with the models of this version. */
async function prepareWorking(database: Database, now: Date): Promise<void> {
  await dropModels(database);
  await prepareService(database, formatTime(now));
  // Changes not yet shown stay pending, so that the search for a failing record includes them.
  if (!(await prepareModels(database, sqlDirectory))) return;
  await database.run(
    'UPDATE service.state SET refreshed_change_id = (SELECT COALESCE(max(change_id), 0) FROM service.changes)',
  );
}

/** Returns the steps that refresh the models; the last change sets the data version. */
function refreshSteps(baseVersion: string, pending: PendingChanges): RefreshSteps {
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

/** Returns a digest of the table definitions; a working file with a different digest is rebuilt. */
export function digestDefinitions(tables: unknown = [resources, settings, SQL_TYPES, [...UNSAID]]): string {
  const hash = createHash('sha256').update(readVersion()).update(JSON.stringify(tables));
  const files = readdirSync(sqlDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sql'),
  );
  for (const name of files.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(sqlDirectory, name)));
  return hash.digest('base64url');
}
