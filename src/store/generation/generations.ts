import { existsSync } from 'node:fs';
import { AppError, fullMessageOf, messageOf } from '../../base/index.ts';
import { fillWithoutRates } from './generation-contents.ts';
import { fileWithoutRates } from './generation-files.ts';
import {
  type Generation,
  type Lease,
  makeGenerationPool,
  type Opened,
  type OpenGeneration,
  openPair,
} from './generation-pool.ts';
import { holdGenerations } from './held-generations.ts';
import { openGeneration } from './open-generation.ts';
import { republishCopy } from './publish.ts';
import { readSignature, repeat } from './watch.ts';

export type { Generation, Lease, OpenGeneration } from './generation-pool.ts';

export interface Generations {
  /** Returns a promise that the current generation shows every write; undefined when it does already. */
  settle(): Promise<void> | undefined;
  /** @throws AppError storage when there is none. */
  current(): Generation;
  /** Returns the current generation; undefined when there is none or it lacks writes. */
  latest(): Generation | undefined;
  /** Reserves a generation, current a moment ago, for an answer. */
  lease(generation: Generation): Lease;
  /** Keeps a generation readable for a while, because a page of it leads to the next. Live data change under it. */
  hold(generation: Generation): void;
  /** Returns a held generation; undefined if it is no longer there. */
  find(dataVersion: string): Generation | undefined;
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
  { pollMs, heldVersionMs }: { readonly pollMs: number; readonly heldVersionMs: number },
  listener: GenerationListener,
): Promise<PublishedGenerations> {
  let current: Opened | undefined;
  let currentSignature: string | undefined;
  let fault: AppError | undefined;
  const pool = makeGenerationPool();
  const held = holdGenerations(pool, heldVersionMs);
  const switchToNewest = async (openNewest = openPair) => {
    const signature = `${await readSignature(file)} | ${await readSignature(fileWithoutRates(file))}`;
    if (signature === currentSignature) return;
    // A deleted file leaves the open generation in use.
    if (current && !existsSync(file)) return;
    try {
      const next = await openNewest(file, Math.floor(memoryLimitMib / 2));
      fault = undefined;
      if (current) pool.retire(current);
      current = next;
      currentSignature = signature;
      pool.add(next);
      listener.moved(next.company.dataVersion);
    } catch (error) {
      const found = error instanceof AppError ? error : new AppError('storage', messageOf(error), { cause: error });
      if (found.message !== fault?.message) listener.failed(fullMessageOf(found));
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
    lease: pool.lease,
    hold: held.hold,
    find: held.find,
    async close(isNow = false) {
      await watch.close();
      held.close();
      current = undefined;
      fault = new AppError('storage', 'The server is stopping');
      await pool.close(isNow);
    },
  };
}

/** Opens the file and its copy without rates like openPair, after making the copy anew if that is what fails. */
async function openRepaired(file: string, memoryLimitMib: number): Promise<Opened> {
  try {
    return await openPair(file, memoryLimitMib);
  } catch (error) {
    if (!existsSync(file)) throw error;
    const options = { memoryLimitMib };
    await (await openGeneration(file, options)).close();
    await republishCopy(file, options, fillWithoutRates).catch((reason: unknown) => {
      const isLoading = reason instanceof AppError && reason.code === 'busy';
      throw isLoading ? error : reason;
    });
    return openPair(file, memoryLimitMib);
  }
}
