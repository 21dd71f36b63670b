import { totalmem } from 'node:os';

/** The least memory the database engine can work with. Unit: MiB. */
export const MIN_MEMORY_MIB = 64;

/** The default memory of the engine on a large machine. Unit: MiB. */
const MAX_DEFAULT_MEMORY_MIB = 6144;

/** The share of a small machine's memory that the engine gets: the rest of the program needs some 300 MiB. */
const DEFAULT_MEMORY_SHARE = 0.4;

/**
 * Returns the default memory of the engine, in MiB. A process that uses more than its machine has is killed.
 * @param bytes The memory of the machine or container. Without a limit, Node answers 0, undefined or more than the machine has.
 */
export function defaultMemoryMib(
  bytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
): number {
  const share = Math.floor((bytes / 2 ** 20) * DEFAULT_MEMORY_SHARE);
  return Math.max(MIN_MEMORY_MIB, Math.min(MAX_DEFAULT_MEMORY_MIB, share));
}
