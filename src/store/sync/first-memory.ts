import { existsSync } from 'node:fs';
import { type Database, quoteText } from '../../base/database/index.ts';
import type { Pulled } from '../../pull/index.ts';
import { loadMemoryMib, sumFileBytes } from '../../records/ingest/index.ts';

/** The least memory of the engine while a first sync fills a database. With more it isn't faster. Unit: MiB. */
const MIN_FIRST_SYNC_MEMORY_MIB = 400;

export interface FirstMemory {
  /** The limit for the records on their way. Unit: MiB. */
  readonly memoryLimitMib: number;
  /** Gives the engine back the memory that it had. */
  restore(): Promise<void>;
}

/**
 * Limits the memory of the engine by the size of what was pulled, while nothing is published that anyone could read.
 * At company size M the process then takes 0.8 GB instead of 1.2. After a run that failed, perhaps for want of memory,
 * the engine has all that it may take.
 * @param file The path of the published database.
 * @param memoryLimitMib The limit of the records on their way. That of the engine is twice as high.
 */
export async function limitFirstMemory(
  database: Database,
  file: string,
  { directory }: Pick<Pulled, 'directory'>,
  memoryLimitMib: number,
): Promise<FirstMemory> {
  const isFirst = !existsSync(file) && (await database.rows('SELECT 1 FROM sync.runs LIMIT 1')).length === 0;
  if (!isFirst) return { memoryLimitMib, restore: async () => undefined };
  const limitMib = loadMemoryMib(await sumFileBytes(directory), 2 * memoryLimitMib, MIN_FIRST_SYNC_MEMORY_MIB);
  const [setting] = await database.rows<{ before: string }>("SELECT current_setting('memory_limit') AS before");
  const limit = (memory: string) => database.run(`SET memory_limit = ${quoteText(memory)}`);
  await limit(`${limitMib}MiB`);
  return { memoryLimitMib: Math.min(limitMib, memoryLimitMib), restore: () => limit(setting?.before ?? '') };
}
