import type { Generations, OpenGeneration } from '../../live/generations.ts';
import type { Store } from '../../live/store.ts';
import { readPublishedKinds } from '../../record/published.ts';
import { type Kind, nameOf } from '../../record/records.ts';
import type { Reader } from '../../record/rules/rules.ts';

/** A function that reads records of a single state. @param kind The resource as that state holds it. */
export type Reading<T> = (reader: Reader, kind: Kind) => Promise<T>;

export interface RecordSource {
  /** Reads records. @param needsModels True if the models must show all committed writes. */
  read<T>(kind: Kind, needsModels: boolean, work: Reading<T>): Promise<T>;
}

/** Reads records committed to a store. @param settle Waits until the models show them. */
export function readStore(store: Store, settle?: () => Promise<void> | undefined): RecordSource {
  return {
    async read(kind, needsModels, work) {
      if (needsModels) await settle?.();
      return work(store.reader, kind);
    },
  };
}

/** Reads published records; each answer reads one generation. Shapes hide fields with costs. */
export function readPublished(generations: Generations): RecordSource {
  const known = new WeakMap<OpenGeneration, ReturnType<typeof readPublishedKinds>>();
  const never = new AbortController().signal;
  return {
    async read(kind, _needsModels, work) {
      const lease = generations.lease(generations.current());
      try {
        const generation = await lease.open(never);
        const database = generation.database(true);
        const reading = known.get(generation) ?? readPublishedKinds(database);
        known.set(generation, reading);
        const kinds = await reading;
        const reader: Reader = {
          rows: (...query) => database.rows(...query),
          shapeOf: (resource) => kinds.get(resource)?.shape,
        };
        return await work(reader, kinds.get(nameOf(kind)) ?? kind);
      } finally {
        lease.release();
      }
    },
  };
}
