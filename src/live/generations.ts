import { existsSync } from 'node:fs';
import type { Database } from '../database/database.ts';
import { AppError, messageOf } from '../error.ts';
import { type Company, readCompany, todayOf } from '../report/company-settings.ts';
import { fileWithoutRates } from './generation-files.ts';
import type { LiveLimits } from './live-limits.ts';
import { openPublished } from './open-generation.ts';
import { readSignature, repeat } from './watch.ts';

/** One state of the data. */
export interface Generation {
  readonly company: Company;
  /** The day in the company's time zone. */
  today(now: Date): string;
}

/** A generation that can be read. */
export interface OpenGeneration extends Generation {
  /** The database for who sees rates or not: without, the copy that has none, if there is one. */
  database(seesRates: boolean): Database;
}

/** A generation that is kept for an answer until it is given back. */
export interface Lease {
  /** The generation to read: the one that was asked for or, of live data, one that has more. @throws the signal's reason, if it must be waited for. */
  open(signal: AbortSignal): Promise<OpenGeneration>;
  release(): void;
}

/** What reports read. */
export interface Generations {
  /** What must be waited for, so that all that was written by now is in the current generation; undefined when it is. */
  settle(): Promise<void> | undefined;
  /** @throws AppError storage when there is none. */
  current(): Generation;
  /** The same; undefined when there is none, or when it hasn't got all that was written. */
  latest(): Generation | undefined;
  /** Keeps a generation that was current just now for an answer. */
  lease(generation: Generation): Lease;
}

/** The published files, of which the newest generation is read. */
export interface PublishedGenerations extends Generations {
  /** @throws AppError storage when there is none. */
  current(): OpenGeneration;
  /** Waits for those that are lent, then closes all. @param isNow Without waiting: what still runs on them is ended. */
  close(isNow?: boolean): Promise<void>;
}

interface Opened extends OpenGeneration {
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
  { pollMs }: Pick<LiveLimits, 'pollMs'>,
  witness: Witness,
): Promise<PublishedGenerations> {
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
    settle: () => undefined,
    current: take,
    latest: () => current,
    lease(lent) {
      const generation = lent as Opened;
      generation.users += 1;
      let isLent = true;
      return {
        open: async () => generation,
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

/** Reads which state of the data a database is in. */
export async function readGeneration(database: Database): Promise<Generation> {
  const company = await readCompany(database);
  return { company, today: dayReader(company) };
}

/** Opens the file and its copy without rates, which share the memory. */
async function openPair(file: string, memoryLimitMib: number, signature: string): Promise<Opened> {
  const pair = await openPublished(file, { memoryLimitMib });
  try {
    const generation = await readGeneration(pair.generation);
    const { promise: closed, keep } = makePromise();
    return {
      ...generation,
      signature,
      users: 0,
      isRetired: false,
      database: (seesRates) => (seesRates ? pair.generation : pair.withoutRates),
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

/** Reads the day in the company's time zone. Time zones take long to ask, so the day is kept for the minute. */
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
