import { type Database, formatTime } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { openToWrites } from '../../src/numbers/model/working.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { readDataVersion } from '../../src/store/generation/open-generation.ts';
import { connectWorking, type LiveSource } from '../../src/store/live/live-source.ts';
import { prepareService, settleRecords } from '../../src/store/record/storage/tables.ts';

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
