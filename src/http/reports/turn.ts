import { readUntil } from '../../database/database.ts';
import type { Lease } from '../../generation/generations.ts';
import type { ReaderContext } from '../../report/run/run.ts';
import type { FairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';

export interface TurnParts {
  /** Semaphores of reports being computed, and of answers computed or sent. */
  readonly running: FairSemaphore;
  readonly open: FairSemaphore;
  readonly limits: Limits;
  readonly now: () => Date;
}

/** The reader of a generation. */
export interface Turn {
  /** The key of the reader whose share of the server it takes. */
  readonly reader: string;
  readonly seesRates: boolean;
  /** Ends the wait and the queries. */
  readonly signal: AbortSignal;
}

/**
 * Waits for a permit, opens a generation and uses it; nothing is held afterwards.
 * @param lease Released in any case.
 * @param use May finish computing before its end, so that other reports are computed while it sends its answer.
 */
export async function readInTurn<T>(
  { running, open, limits, now }: TurnParts,
  { reader, seesRates, signal }: Turn,
  lease: Lease,
  use: (context: ReaderContext, finish: () => void) => Promise<T>,
): Promise<T> {
  const closers: (() => unknown)[] = [lease.release];
  try {
    closers.push(await open.acquire(reader, signal));
    const finish = await running.acquire(reader, signal);
    closers.push(finish);
    const generation = await lease.open(signal);
    const moment = now();
    const context = {
      database: readUntil(signal, generation.database(seesRates)),
      whole: readUntil(signal, generation.database(true)),
      company: generation.company,
      now: moment,
      today: generation.today(moment),
      seesRates,
      maxRows: limits.maxRows,
    };
    return await use(context, finish);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
