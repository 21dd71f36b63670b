import { LRUCache } from 'lru-cache';
import type { ClosingsOfData, ComparedStates, ReadableState } from '../ask/state-references.ts';
import {
  type Generation,
  type GenerationPool,
  type Lease,
  makeGenerationPool,
  type Opened,
  openPair,
} from '../generation/generation-pool.ts';
import { followClosingsInForce } from './closings-in-force.ts';
import { findCompared } from './compared-states.ts';
import { findReadable } from './readable-state.ts';

/** The most kept states that a server holds open; the one that was read longest ago is closed for another. */
export const MAX_OPEN_STATES = 2;

/** The parameter that names the state in place of the present data. */
const MAIN = 'as_of';

export interface KeptGeneration extends ReadableState {
  readonly generation: Generation;
  /** Reserves it for an answer. */
  lease(): Lease;
}

/** The databases of kept states: the one in place of the present data, if any, and others by name. */
interface StateFiles {
  readonly main: string | undefined;
  readonly states: Readonly<Record<string, string>>;
}

/** References of kept states: the one in place of the present data, if any, and others by name. */
interface StateNames {
  readonly main?: string | undefined;
  readonly states?: Readonly<Record<string, string>> | undefined;
}

/** The kept states of a database, opened when they are asked for. */
export interface KeptGenerations {
  /**
   * Finds and opens the state that a parameter names, verified before its first answer in this process.
   * @param field The parameter, which an error names.
   * @throws AppError as findReadable
   */
  find(reference: string, field: string): Promise<KeptGeneration>;
  /**
   * Finds the states that a statement reads, verified.
   * @returns the paths of their databases, undefined without any, and the one in place of the present data, opened.
   * @throws AppError as findReadable
   */
  files(
    named: StateNames,
  ): Promise<{ readonly files: StateFiles | undefined; readonly opened: Generation | undefined }>;
  /**
   * Finds the state that a parameter names, verified, which is opened beside the data that are reported.
   * @throws AppError as findReadable
   */
  read(reference: string, field: string): Promise<ReadableState>;
  /**
   * Finds the states that `from` names, which are opened beside the data that they are compared with.
   * @throws AppError as findCompared
   */
  compare(reference: string): Promise<ComparedStates>;
  /** Reads the closings in force. */
  closings(): Promise<ClosingsOfData>;
  /**
   * Waits for all leases, then closes everything.
   * @param isNow True to abort running queries instead of waiting.
   */
  close(isNow: boolean): Promise<void>;
}

/** @param memoryLimitMib The limit of all open states together. */
export function openKeptGenerations(database: string, memoryLimitMib: number): KeptGenerations {
  const pool = makeGenerationPool();
  // Each state has two files.
  const limitOfFile = Math.floor(memoryLimitMib / MAX_OPEN_STATES / 2);
  const opened = new LRUCache<string, Promise<Opened>>({
    max: MAX_OPEN_STATES,
    dispose: (opening) => void opening.then(pool.retire, () => {}),
  });
  const openState = async ({ file, asOf }: ReadableState): Promise<Opened> => {
    const pair = await openPair(file, limitOfFile);
    const kept = { ...pair, company: { ...pair.company, asOf }, today: () => asOf.day };
    pool.add(kept);
    return kept;
  };
  const open = async (state: ReadableState): Promise<Opened> => {
    const key = `${state.file} ${state.asOf.keptAt}`;
    const opening = opened.get(key) ?? openState(state);
    opened.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      opened.delete(key);
      throw error;
    }
  };
  const find: KeptGenerations['find'] = async (reference, field) => {
    const state = await findReadable(database, reference, field);
    const generation = await open(state);
    return { ...state, generation, lease: () => leaseOf(pool, () => open(state)) };
  };
  return {
    find,
    async files(named) {
      const opened = named.main === undefined ? undefined : (await find(named.main, MAIN)).generation;
      return { files: await findStateFiles(database, named), opened };
    },
    read: (reference, field) => findReadable(database, reference, field),
    compare: (reference) => findCompared(database, reference),
    closings: followClosingsInForce(database),
    close: pool.close,
  };
}

/** Finds the databases of kept states. @throws AppError as findReadable */
export async function findStateFiles(
  database: string,
  { main, states = {} }: StateNames,
): Promise<StateFiles | undefined> {
  const names = Object.entries(states);
  if (main === undefined && names.length === 0) return undefined;
  const read = async (reference: string, field: string) => (await findReadable(database, reference, field)).file;
  const files = await Promise.all(
    names.map(async ([name, reference]) => [name, await read(reference, `states.${name}`)] as const),
  );
  return { main: main === undefined ? undefined : await read(main, MAIN), states: Object.fromEntries(files) };
}

/** Makes a lease that opens a generation again if another took its place meanwhile. */
function leaseOf(pool: GenerationPool, open: () => Promise<Opened>): Lease {
  let lease: Lease | undefined;
  return {
    async open(signal) {
      let generation = await open();
      while (generation.isRetired) generation = await open();
      signal.throwIfAborted();
      lease = pool.lease(generation);
      return lease.open(signal);
    },
    release: () => lease?.release(),
  };
}
