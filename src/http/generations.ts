import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Database } from '../database.ts';
import { AppError, messageOf } from '../error.ts';
import { openGeneration } from '../generation.ts';
import { type Company, readCompany, todayOf } from '../report/company.ts';
import type { Limits } from './limits.ts';
import { readSignature, repeat } from './watch.ts';

/** A loaded dataset, opened. */
export interface Generation {
  readonly company: Company;
  /** The database for who sees rates or not: without, the copy that has none, if there is one. */
  database(seesRates: boolean): Database;
  /** The day in the company's time zone. */
  today(now: Date): string;
}

/** A generation that stays open until it is given back. */
export interface Lease {
  readonly generation: Generation;
  release(): void;
}

/** The published files, of which the newest generation is read. */
export interface Generations {
  /** @throws AppError storage when there is none. */
  current(): Generation;
  /** Lends a generation that was current just now, so that it stays open. */
  lend(generation: Generation): Lease;
  /** Waits for those that are lent, then closes all. */
  close(): Promise<void>;
}

interface Opened extends Generation {
  readonly signature: string;
  users: number;
  isRetired: boolean;
  /** Is kept when it is closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** What is told of what happens to generations. */
export interface Witness {
  moved(dataVersion: string): void;
  failed(message: string): void;
}

/** The path of the copy without rates. */
export function pathWithoutRates(file: string): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}.no-rates${ext}`);
}

/**
 * Opens the published database, and moves to each new generation that appears. What is running goes on on the old one, which is closed when
 * the last has given it back. Where there is none yet, one that appears is taken.
 */
export async function openGenerations(
  file: string,
  memoryLimitMib: number,
  { pollMs, mismatchMs }: Limits,
  witness: Witness,
): Promise<Generations> {
  let current: Opened | undefined;
  let fault: AppError | undefined;
  let mismatchedSince: number | undefined;
  const open = new Set<Opened>();
  const retire = (generation: Opened | undefined) => {
    if (!generation) return;
    generation.isRetired = true;
    if (generation.users > 0) return;
    void generation.close().finally(() => open.delete(generation));
  };
  const follow = async () => {
    const signature = `${await readSignature(file)} | ${await readSignature(pathWithoutRates(file))}`;
    if (signature === current?.signature) return;
    // A file that is taken away leaves the one that is open.
    if (current && !existsSync(file)) return;
    try {
      const isPatient = performance.now() - (mismatchedSince ?? performance.now()) < mismatchMs;
      const next = await openBoth(file, memoryLimitMib / 2, signature, isPatient);
      if (!next) {
        mismatchedSince ??= performance.now();
        return;
      }
      mismatchedSince = undefined;
      fault = undefined;
      retire(current);
      current = next;
      open.add(next);
      witness.moved(next.company.dataVersion);
    } catch (error) {
      const found = error instanceof AppError ? error : new AppError('storage', messageOf(error), { cause: error });
      if (found.message !== fault?.message) witness.failed(found.message);
      fault = found;
    }
  };
  await follow();
  const watch = repeat(follow, pollMs);
  const take = (): Opened => {
    if (current) return current;
    throw fault ?? new AppError('storage', `The files of ${file} are being published`, { hint: 'Try again.' });
  };
  return {
    current: take,
    lend(lent) {
      const generation = lent as Opened;
      generation.users += 1;
      let isLent = true;
      return {
        generation,
        release() {
          if (!isLent) return;
          isLent = false;
          generation.users -= 1;
          if (generation.isRetired) retire(generation);
        },
      };
    },
    async close() {
      await watch.close();
      retire(current);
      current = undefined;
      fault = new AppError('storage', 'The server is stopping');
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}

/** Opens both files; undefined while they are of different generations, which is so for a moment when a new one is published. */
async function openBoth(
  file: string,
  memoryLimitMib: number,
  signature: string,
  isPatient: boolean,
): Promise<Opened | undefined> {
  const options = { memoryLimitMib: Math.floor(memoryLimitMib) };
  const databases = [await openGeneration(file, options)];
  const closeAll = async () => {
    for (const database of databases) await database.close();
  };
  try {
    const company = await readCompany(databases[0] as Database);
    if (existsSync(pathWithoutRates(file))) {
      const copy = await openGeneration(pathWithoutRates(file), options);
      databases.push(copy);
      if ((await readVersion(copy)) !== company.dataVersion) {
        if (isPatient) {
          await closeAll();
          return undefined;
        }
        // Reports leave the columns out by themselves, so the full file serves everybody until the copy is right again.
        databases.pop();
        await copy.close();
      }
    }
    const [full, copy = full] = databases as [Database, Database?];
    const { promise: closed, keep } = makePromise();
    return {
      company,
      signature,
      users: 0,
      isRetired: false,
      database: (seesRates) => (seesRates ? full : copy),
      today: dayReader(company),
      closed,
      close: () => closeAll().finally(keep),
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function readVersion(database: Database): Promise<string | undefined> {
  const [row] = await database.rows<{ data_version: string }>('SELECT data_version FROM source.generation');
  return row?.data_version;
}

/** The unit of time in which a day begins, in every time zone. Unit: ms. */
const MINUTE_MS = 60_000;

/** Time zones take long to ask, so the day is kept for the minute. */
function dayReader(company: Company): (now: Date) => string {
  let [minute, day] = [Number.NaN, ''];
  return (now) => {
    const asked = Math.floor(now.getTime() / MINUTE_MS);
    if (asked !== minute) [minute, day] = [asked, todayOf(company, now)];
    return day;
  };
}

function makePromise(): { promise: Promise<void>; keep: () => void } {
  let keep = () => {};
  const promise = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}
