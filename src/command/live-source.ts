import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Config, readVersion } from '../config/config.ts';
import { type Database, formatTime, quoteText } from '../database/database.ts';
import type { LiveSource } from '../http/live.ts';
import { createDataset } from '../ingest/ingest.ts';
import { journalFile, syncPath } from '../live/generation-files.ts';
import { openWorking, publishWorking } from '../live/working-file.ts';
import { openRefresher, type RefreshSteps } from '../model/refresh/refresh.ts';
import { closeToWrites, dropModels, prepareModels } from '../model/working.ts';
import { findCause, type Rehearse } from '../record/storage/cause.ts';
import { type ChangedRecord, readChanges } from '../record/storage/changes.ts';
import { type Journal, openJournal } from '../record/storage/journal.ts';
import { prepareService } from '../record/storage/tables.ts';
import { UNSAID } from '../record/storage/unsaid.ts';
import { settings } from '../resource/company-resources.ts';
import { SQL_TYPES } from '../resource/field.ts';
import { resources } from '../resource/resources.ts';
import { describeGeneration, fillWithoutRates, sqlDirectory } from './generation-contents.ts';

/**
 * Opens the working file of a database for a server that takes changes, and connects its parts.
 * @throws AppError busy if another server owns it, storage if it can't be created or belongs to another database.
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
      refresh: (signal) => refresher.refresh(refreshSteps(baseVersion), signal),
      findCause: (rehearsalMs, inTurn, isWanted) => {
        const steps = refreshSteps(baseVersion);
        const rehearse: Rehearse = (change) =>
          inTurn(() => refresher.rehearse(change, steps, AbortSignal.timeout(rehearsalMs)));
        return findCause(database, UNREFRESHED, rehearse, isWanted);
      },
      publish: (freeze) =>
        publishWorking(database, file, { memoryLimitMib: publishMib }, freeze, {
          async generation(copy) {
            await closeToWrites(copy, sqlDirectory);
            await describeGeneration(copy);
          },
          withoutRates: fillWithoutRates,
        }),
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
  // Changes that no refresh has shown stay pending, so that the record that is the cause is looked for among them.
  if (!(await prepareModels(database, sqlDirectory))) return;
  await database.run(
    'UPDATE service.state SET refreshed_change_id = (SELECT COALESCE(max(change_id), 0) FROM service.changes)',
  );
}

/** SQL condition on service.changes: changes not yet in the models. */
const UNREFRESHED = 'change_id > (SELECT refreshed_change_id FROM service.state)';

/** Returns the steps that refresh the models; the last change sets the data version. */
function refreshSteps(baseVersion: string): RefreshSteps {
  let last: ChangedRecord | undefined;
  return {
    async readChanges(session) {
      const changes = await readChanges(session, UNREFRESHED);
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

/** Returns a digest of the definitions of a working file's tables; a file with another is rebuilt. */
export function digestDefinitions(tables: unknown = [resources, settings, SQL_TYPES, [...UNSAID]]): string {
  const hash = createHash('sha256').update(readVersion()).update(JSON.stringify(tables));
  const files = readdirSync(sqlDirectory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.sql'),
  );
  for (const name of files.sort()) hash.update(`\0${name}\0`).update(readFileSync(join(sqlDirectory, name)));
  return hash.digest('base64url');
}
