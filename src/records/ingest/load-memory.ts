import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The least memory for a load. Unit: MiB. */
const MIN_LOAD_MEMORY_MIB = 600;

/** Memory of a load as a share of the size of its files: more gives no speed. */
const LOAD_MEMORY_SHARE = 0.4;

/**
 * Returns the memory limit of the engine for loading files of a size.
 * The process takes some hundred MiB more.
 * @returns MiB, at most the limit.
 */
export function loadMemoryMib(
  bytes: number,
  limitMib = Number.POSITIVE_INFINITY,
  leastMib = MIN_LOAD_MEMORY_MIB,
): number {
  return Math.min(limitMib, Math.max(leastMib, Math.ceil((LOAD_MEMORY_SHARE * bytes) / 2 ** 20)));
}

/** Returns the size of a folder's files, or of a workbook; 0 for a missing one, which has a better error later. */
export async function sumFileBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => ['']);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name))
        .then(({ size }) => size)
        .catch(() => 0),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
