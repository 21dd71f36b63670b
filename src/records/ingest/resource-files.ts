import type { Database } from '../../base/database/index.ts';
import type { Resource } from '../resource/resource.ts';
import { resources } from '../resource/resources.ts';
import type { ControlTotals } from './controls/file-totals.ts';
import type { RowTally } from './mapping/row-tally.ts';
import type { DescribedTotals } from './merging/described-totals.ts';
import type { InputFile } from './reading/files.ts';
import { hashFile } from './reading/hash.ts';
import { storeLineOrigins } from './reading/line-origins.ts';
import type { FindRecords, ForeignRecord, Merged } from './reading/merge-spool.ts';
import { explainReadError, isUnreadableJson } from './reading/parsing-error.ts';
import { openFiles } from './reading/preparation.ts';
import { buildRelation, type ReadableFile } from './reading/relation.ts';
import type { SpoolRoom } from './reading/spool-file.ts';

/** A load under way: its files, and what it has found in them. */
export interface Load {
  readonly database: Database;
  readonly files: readonly InputFile[];
  readonly room: SpoolRoom;
  /** SHA-256 of the files read so far, by file number. */
  readonly hashes: Map<number, string>;
  /** The encodings of files that aren't UTF-8, by their names. */
  readonly encodings: Map<string, string>;
  /** The rows of files that are no records, by the number of their file. */
  readonly tallies: Map<number, RowTally>;
  /** Sentences on fields to which several files give different values. */
  readonly conflicts: string[];
  /** The totals of files whose rows only describe records, by the number of the file. */
  readonly described: Map<number, DescribedTotals>;
  /** The records outside the files that rows of files describe. */
  readonly foreign: ForeignRecord[];
  readonly findRecords: FindRecords;
  /** The totals of each file, if a mapping is used: they are what people compare with the program that wrote it. */
  readonly controls: ControlTotals[];
  /** Times of records without any, as YYYY-MM-DD HH:MM:SS in UTC; undefined leaves them empty. */
  readonly at: string | undefined;
}

/**
 * Opens a load that has found nothing yet.
 * @param findRecords Finds records outside the files. Default: there are none.
 */
export function openLoad(
  database: Database,
  files: readonly InputFile[],
  room: SpoolRoom,
  at: string | undefined,
  findRecords: FindRecords = async () => new Set(),
): Load {
  return {
    database,
    files,
    room,
    hashes: new Map(),
    encodings: new Map(),
    tallies: new Map(),
    conflicts: [],
    described: new Map(),
    foreign: [],
    findRecords,
    controls: [],
    at,
  };
}

/** Tells whether a file may hold records of a resource, directly or nested. */
export function isGiven(load: Load, resource: Resource): boolean {
  return filesOf(load, resource).length > 0 || containersOf(resource).some(({ container }) => isGiven(load, container));
}

/** Returns the resources whose records may nest records of a resource, and the list of each. */
export function containersOf(resource: Resource): { container: Resource; list: string }[] {
  return resources.flatMap((container) =>
    Object.entries(container.nested ?? {}).flatMap(([list, name]) =>
      name === resource.name ? [{ container, list }] : [],
    ),
  );
}

/** Runs work on the files of a resource as one relation; errors in reading them name the file. */
export async function withRelation<T>(
  load: Load,
  resource: Resource,
  work: (relation: string) => Promise<T>,
): Promise<T> {
  const { database, room, hashes } = load;
  const inputs = filesOf(load, resource);
  const dates = Object.keys(resource.fields).filter((name) => resource.fields[name]?.type === 'date');
  const { files, encodings, tallies, merged, mend, close } = await openFiles(inputs, room, load.findRecords);
  if (merged) await noteMerged(load, resource, merged);
  for (const [number, tally] of tallies) load.tallies.set(number, tally);
  for (const [name, encoding] of encodings) load.encodings.set(name, encoding);
  const read = async (readable: readonly ReadableFile[]) => work(await buildRelation(database, readable, dates));
  const readMended = async (error: unknown) => {
    const mended = isUnreadableJson(error) ? await mend() : undefined;
    if (mended) return read(mended);
    throw error;
  };
  try {
    // DuckDB works on its own threads, so hashing uses time that this thread would wait.
    // Both are awaited even after an error: nothing may run on a database while it closes.
    const [worked, hashed] = await Promise.allSettled([read(files).catch(readMended), hashFiles(inputs)]);
    if (worked.status === 'rejected') throw worked.reason;
    if (hashed.status === 'rejected') throw hashed.reason;
    for (const [number, hash] of hashed.value) hashes.set(number, hash);
    return worked.value;
  } catch (error) {
    throw await explainReadError(error, files, inputs);
  } finally {
    await close();
  }
}

async function noteMerged(load: Load, { name }: Resource, { conflicts, described, origins, foreign }: Merged) {
  load.conflicts.push(...conflicts);
  for (const [number, totals] of described) load.described.set(number, totals);
  load.foreign.push(...foreign.map((id) => ({ resource: name, id })));
  await storeLineOrigins(load.database, origins);
}

async function hashFiles(files: readonly InputFile[]): Promise<Map<number, string>> {
  const hashes = new Map<number, string>();
  for (const { number, path } of files) hashes.set(number, await hashFile(path));
  return hashes;
}

export function filesOf({ files }: Load, { name }: Resource): InputFile[] {
  return files.filter(({ resource }) => resource === name);
}

export function sumBytes(files: readonly InputFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
