import { existsSync } from 'node:fs';
import type { Database } from '../database.ts';
import { AppError, messageOf } from '../error.ts';
import { fileWithoutRates, openPublished } from '../generation.ts';
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
  /** The same; undefined when there is none. */
  latest(): Generation | undefined;
  /** Lends a generation that was current just now, so that it stays open. */
  lend(generation: Generation): Lease;
  /** Waits for those that are lent, then closes all. @param isNow Without waiting: what still runs on them is ended. */
  close(isNow?: boolean): Promise<void>;
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

/**
 * Opens the published database, and moves to each new generation that appears. What is running goes on on the old one, which is closed when
 * the last has given it back. Where there is none yet, one that appears is taken.
 */
export async function openGenerations(
  file: string,
  memoryLimitMib: number,
  { pollMs }: Limits,
  witness: Witness,
): Promise<Generations> {
  let current: Opened | undefined;
  let fault: AppError | undefined;
  const open = new Set<Opened>();
  const retire = (generation: Opened | undefined) => {
    if (!generation) return;
    generation.isRetired = true;
    if (generation.users > 0) return;
    void generation.close().finally(() => open.delete(generation));
  };
  const follow = async () => {
    const signature = `${await readSignature(file)} | ${await readSignature(fileWithoutRates(file))}`;
    if (signature === current?.signature) return;
    // A file that is taken away leaves the one that is open.
    if (current && !existsSync(file)) return;
    try {
      const next = await openPair(file, Math.floor(memoryLimitMib / 2), signature);
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
    throw fault ?? new AppError('storage', 'The server is starting', { hint: 'Try again.' });
  };
  return {
    current: take,
    latest: () => current,
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
    async close(isNow = false) {
      await watch.close();
      retire(current);
      if (isNow) for (const generation of open) void generation.close();
      current = undefined;
      fault = new AppError('storage', 'The server is stopping');
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}

/** Opens the file and its copy without rates, which share the memory. */
async function openPair(file: string, memoryLimitMib: number, signature: string): Promise<Opened> {
  const pair = await openPublished(file, { memoryLimitMib });
  try {
    const company = await readCompany(pair.generation);
    const { promise: closed, keep } = makePromise();
    return {
      company,
      signature,
      users: 0,
      isRetired: false,
      database: (seesRates) => (seesRates ? pair.generation : pair.withoutRates),
      today: dayReader(company),
      closed,
      close: () => pair.close().finally(keep),
    };
  } catch (error) {
    await pair.close();
    throw error;
  }
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
