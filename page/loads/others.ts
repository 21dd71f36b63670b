import type { LoadList, LoadProgress } from '../../src/store/loads/load-json.ts';
import { type Failure, readJson } from '../data/api.ts';
import { wordOfResource } from './words.ts';

/** Time between two questions for the progress of a load. Unit: ms. */
export const PROGRESS_MS = 500;

/** Refusals of a request while no load is in work, after which it fails. */
const MAX_REFUSALS = 3;

/** The status of a request that another one keeps from being done. */
const BUSY = 409;

/** Work that is waited for: what is done, and which part of it; undefined where that isn't known. */
export interface Waiting {
  readonly words: string;
  readonly part: number | undefined;
}

/** Reads the loads of the server. @throws a Failure. */
export function readLoadList(): Promise<LoadList> {
  return readJson('/v3/loads');
}

/** Returns the step of a load in words, with the part of it that is done. */
export function stepOf({ step, part }: LoadProgress): Waiting {
  const words = step.replace(/^reading (\w+)$/, (_, resource: string) => `reading ${wordOfResource(resource)}`);
  return { words: `${words[0]?.toUpperCase()}${words.slice(1)}`, part: part > 0 ? part : undefined };
}

/**
 * Sends a request about loads when no load of another tab or person is in work, since a server does one at a time.
 * @param wait Called with the load that is waited for.
 * @param isWanted Returns whether the request is still to be sent.
 * @returns The answer; undefined if it is no longer wanted.
 * @throws a Failure.
 */
export async function sendInTurn<T>(
  send: () => Promise<T>,
  wait: (waiting: Waiting) => void,
  isWanted: () => boolean = () => true,
): Promise<T | undefined> {
  for (let refusals = 0; isWanted(); await pause()) {
    const { running } = await readLoadList();
    if (running) {
      const { words, part } = stepOf(running);
      wait({ words: `Waiting for the files of another tab or person: ${words.toLowerCase()}`, part });
      continue;
    }
    try {
      return await send();
    } catch (error) {
      refusals += 1;
      if ((error as Failure).status !== BUSY || refusals === MAX_REFUSALS) throw error;
    }
  }
  return undefined;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PROGRESS_MS));
}
