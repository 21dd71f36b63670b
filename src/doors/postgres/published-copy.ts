import { existsSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  fileWithoutRates,
  openReadable,
  publishedFolder,
  readDataVersion,
  storageError,
} from '../../store/generation/index.ts';
import type { PublishedSource } from './publish-marts.ts';

export interface CopyRequest {
  readonly database: string;
  readonly hasRates: boolean;
  /** Names the target in file names. */
  readonly target: string;
}

/** The memory for comparing two versions, beside that of a server's reports; more goes to disk. Unit: MiB. */
const COMPARING_MEMORY_MIB = 512;

/**
 * Uses the present database under a second name, which it keeps until the next publication to the same target: published files are
 * never written in place, so it costs no copy, and the rows that have changed since are found without asking PostgreSQL.
 */
export async function usePublishedCopy<T>(
  { database, hasRates, target }: CopyRequest,
  use: (source: Omit<PublishedSource, 'compute'>) => Promise<T>,
): Promise<T> {
  const folder = publishedFolder(database);
  const fileOf = (version: string) => join(folder, `${target}.${hasRates ? 'rates' : 'no-rates'}.${version}.duckdb`);
  const next = fileOf(`next-${process.pid}`);
  // Publications to several targets may run at once, each with rows on their way.
  const rows = `${next}.rows`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOthers(folder, (name) => name.startsWith(`${target}.`) && name.includes('.next-'));
  await link(hasRates ? database : fileWithoutRates(database), next).catch((error: unknown) => {
    throw storageError(next, error, 'outbox');
  });
  await mkdir(rows, { recursive: true, mode: 0o700 });
  try {
    const open = await openReadable(next, { memoryLimitMib: COMPARING_MEMORY_MIB });
    const dataVersion = await readDataVersion(open);
    const findEarlier = async (version: string) => {
      const file = fileOf(version);
      return existsSync(file) && (await isReadable(file)) ? (await open.attach(file)).catalog : undefined;
    };
    const answer = await use({ database: open, dataVersion, hasRates, findEarlier, folder: rows }).finally(() =>
      open.close(),
    );
    const kept = fileOf(dataVersion);
    await rename(next, kept);
    await removeOthers(folder, (name) => name.startsWith(`${target}.`) && join(folder, name) !== kept);
    return answer;
  } finally {
    await rm(next, { force: true });
    await rm(rows, { recursive: true, force: true });
  }
}

/** Tells whether a file has the tables of this version of the program. */
async function isReadable(file: string): Promise<boolean> {
  try {
    await (await openReadable(file, {})).close();
    return true;
  } catch {
    return false;
  }
}

async function removeOthers(folder: string, isOther: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder))
    if (isOther(name)) await rm(join(folder, name), { recursive: true, force: true });
}
