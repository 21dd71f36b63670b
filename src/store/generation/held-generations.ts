import { LRUCache } from 'lru-cache';
import type { Generation, GenerationPool, Lease } from './generation-pool.ts';

/*
 * A client that reads a list page by page needs all pages of one version. Each page that another follows holds its
 * version for a while, so that a load in between doesn't take it away.
 */

/** The time for which a version is held after its last page. Unit: ms. */
export const HELD_VERSION_MS = 600_000;

/** The most versions held; the one whose last page is oldest goes first. Unit: versions. */
export const MAX_HELD_VERSIONS = 4;

/** Versions of the data whose pages are being read. */
export interface HeldGenerations {
  /** Holds a version from now on, or goes on. */
  hold(generation: Generation): void;
  find(dataVersion: string): Generation | undefined;
  close(): void;
}

/** Makes an empty set of held versions. @param holdMs See HELD_VERSION_MS. */
export function holdGenerations({ lease }: Pick<GenerationPool, 'lease'>, holdMs: number): HeldGenerations {
  const held = new LRUCache<string, { readonly generation: Generation; readonly lease: Lease }>({
    max: MAX_HELD_VERSIONS,
    ttl: holdMs,
    // A version whose time is over must be closed, though nobody asks for it.
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (each) => each.lease.release(),
  });
  return {
    hold(generation) {
      const { dataVersion } = generation.company;
      const known = held.get(dataVersion);
      held.set(dataVersion, known ?? { generation, lease: lease(generation) });
    },
    find: (dataVersion) => held.get(dataVersion)?.generation,
    close: () => held.clear(),
  };
}
