import type { Database } from '../../base/database/index.ts';
import { type Company, todayOf } from '../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../numbers/report/source/index.ts';
import { openPublished } from './open-generation.ts';

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

/** A generation whose files are open, until nothing reads it and it is retired. */
export interface Opened extends OpenGeneration {
  users: number;
  isRetired: boolean;
  /** Resolves when the files are closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Open generations; each is closed when it is retired and its last lease ends. */
export interface GenerationPool {
  add(generation: Opened): void;
  /** Gives a generation up: no new lease of it may begin. */
  retire(generation: Opened): void;
  lease(generation: Generation): Lease;
  /**
   * Waits for all leases, then closes everything.
   * @param isNow True to abort running queries instead of waiting.
   */
  close(isNow: boolean): Promise<void>;
}

export function makeGenerationPool(): GenerationPool {
  const open = new Set<Opened>();
  const retire = (generation: Opened) => {
    generation.isRetired = true;
    if (generation.users > 0) return;
    void generation.close().finally(() => open.delete(generation));
  };
  return {
    add: (generation) => void open.add(generation),
    retire,
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
    async close(isNow) {
      const all = [...open];
      for (const generation of all) {
        if (isNow) void generation.close();
        else retire(generation);
      }
      await Promise.all(all.map(({ closed }) => closed));
    },
  };
}

export async function readGeneration(database: Database): Promise<Generation> {
  const company = await readCompany(database);
  return { company, today: dayReader(company) };
}

/** Opens a published file and its copy without rates, each with a memory limit. */
export async function openPair(file: string, memoryLimitMib: number): Promise<Opened> {
  const pair = await openPublished(file, { memoryLimitMib });
  try {
    const generation = await readGeneration(pair.generation);
    const { promise: closed, keep } = makePromise();
    return {
      ...generation,
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
