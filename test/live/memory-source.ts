import { type Database, formatTime } from '../../src/database/database.ts';
import { sqlDirectory } from '../../src/generation/model-definitions.ts';
import { readDataVersion } from '../../src/generation/open-generation.ts';
import { connectWorking, type LiveSource } from '../../src/live/live-source.ts';
import { buildModels } from '../../src/model/build.ts';
import { openToWrites } from '../../src/model/working.ts';
import { prepareService, settleRecords } from '../../src/record/storage/tables.ts';

/**
 * Opens live data over a database built in memory, which is never published.
 * @param file The path that its journal is named after, in a folder of its own.
 */
export async function openMemorySource(database: Database, file: string, now: Date): Promise<LiveSource> {
  await prepareService(database, formatTime(now));
  if (await settleRecords(database)) await buildModels(database, sqlDirectory);
  await openToWrites(database, sqlDirectory);
  const baseVersion = await readDataVersion(database);
  const source = await connectWorking(
    { database, baseVersion, publishedVersion: undefined, close: () => database.close() },
    file,
    0,
  );
  return withoutPublishing(source);
}

/** Returns live data that is never published: a publication takes a second of CPU at least, the last one on closing. */
export function withoutPublishing(source: LiveSource): LiveSource {
  return { ...source, freeze: async () => undefined, publish: async () => undefined };
}
