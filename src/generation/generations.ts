import { existsSync } from 'node:fs';
import type { Database } from '../database/database.ts';
import { AppError, messageOf } from '../error.ts';
import { type Company, readCompany, todayOf } from '../report/catalogue/definitions.ts';
import { fillWithoutRates } from './generation-contents.ts';
import { fileWithoutRates } from './generation-files.ts';
import { openGeneration, openPublished } from './open-generation.ts';
import { republishCopy } from './publish.ts';
import { readSignature, repeat } from './watch.ts';

/** One state of the data. */
export interface Generation {
  readonly company: Company;
  /** Returns the day in the company's time zone. */
  today(now: Date): string;
}

export interface OpenGeneration extends Generation {
  /** Returns the database, or its copy without rates if there is one and the reader may not see rates. */
  database(seesRates: boolean): Database;
}

/** A generation reserved for one answer until it is released. */
export interface Lease {
  /**
   * Opens the generation asked for, or a newer one of live data.
   * @throws the signal's reason, if it is aborted during the wait.
   */
  open(signal: AbortSignal): Promise<OpenGeneration>;
  release(): void;
}

/** The generations that reports read. */
export interface Generations {
  /** Returns a promise that the current generation shows every write; undefined when it does already. */
  settle(): Promise<void> | undefined;
  /** @throws AppError storage when there is none. */
  current(): Generation;
  /** Returns the current generation; undefined when there is none or it lacks writes. */
  latest(): Generation | undefined;
  /** Reserves a generation, current a moment ago, for an answer. */
  lease(generation: Generation): Lease;
}

/** The published files, read at their newest generation. */
export interface PublishedGenerations extends Generations {
  /** @throws AppError storage when there is none. */
  current(): OpenGeneration;
  /**
   * Waits for all leases, then closes everything.
   * @param isNow True to abort running queries instead of waiting.
   */
  close(isNow?: boolean): Promise<void>;
}

interface Opened extends OpenGeneration {
  readonly signature: string;
  users: number;
  isRetired: boolean;
  /** Resolves when the generation is closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface GenerationListener {
  moved(dataVersion: string): void;
  failed(message: string): void;
}

/**
 * Opens the published database and switches to each new generation; there may be none at first.
 * A generation that is found without its copy without rates gets a new one.
 * Running answers stay on the old generation, which closes with its last lease.
 */
export async function openGenerations(
  file: string,
  memoryLimitMib: number,
  { pollMs }: { readonly pollMs: number },
  listener: GenerationListener,
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
  const switchToNewest = async (openNewest = openPair) => {
    const signature = `${await readSignature(file)} | ${await readSignature(fileWithoutRates(file))}`;
    if (signature === current?.signature) return;
    // A deleted file leaves the open generation in use.
    if (current && !existsSync(file)) return;
    try {
      const next = await openNewest(file, Math.floor(memoryLimitMib / 2), signature);
      fault = undefined;
      retire(current);
      current = next;
      open.add(next);
      listener.moved(next.company.dataVersion);
    } catch (error) {
      const found = error instanceof AppError ? error : new AppError('storage', messageOf(error), { cause: error });
      if (found.message !== fault?.message) listener.failed(found.message);
      fault = found;
    }
  };
  await switchToNewest(openRepaired);
  const watch = repeat(() => switchToNewest(), pollMs);
  const take = (): Opened => {
    if (current) return current;
    throw fault ?? new AppError('storage', 'The server is starting', { hint: 'Try again.' });
  };
  return {
    settle: () => undefined,
    current: take,
    latest: () => current,
    lease(leased) {
      const generation = leased as Opened;
      generation.users += 1;
      let isReleased = false;
      return {
        open: async () => generation,
        release() {
          if (isReleased) return;
          isReleased = true;
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

export async function readGeneration(database: Database): Promise<Generation> {
  const company = await readCompany(database);
  return { company, today: dayReader(company) };
}

/** Opens the file and its copy without rates, which share the memory limit. */
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

/** Opens the file and its copy without rates like openPair, after making the copy anew if that is what fails. */
async function openRepaired(file: string, memoryLimitMib: number, signature: string): Promise<Opened> {
  try {
    return await openPair(file, memoryLimitMib, signature);
  } catch (error) {
    if (!existsSync(file)) throw error;
    const options = { memoryLimitMib };
    await (await openGeneration(file, options)).close();
    await republishCopy(file, options, fillWithoutRates).catch((reason: unknown) => {
      const isLoading = reason instanceof AppError && reason.code === 'busy';
      throw isLoading ? error : reason;
    });
    return openPair(file, memoryLimitMib, signature);
  }
}

/** Granularity of day changes, in every time zone. Unit: ms. */
const MINUTE_MS = 60_000;

/** Returns a function that computes the company's day, cached by minute: time zones are slow to query. */
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
