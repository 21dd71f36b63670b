import type { Generations, OpenGeneration } from '../../live/generations.ts';
import type { Store } from '../../live/store.ts';
import { readPublishedKinds } from '../../record/published.ts';
import { type Kind, nameOf } from '../../record/records.ts';
import type { Reader } from '../../record/rules/rules.ts';

/** A reading of records: all that it asks is of one place. @param kind The resource as that place holds it. */
export type Reading<T> = (reader: Reader, kind: Kind) => Promise<T>;

/** Where records are read. */
export interface RecordSource {
  /** @param needsModels Whether the models must show all that is committed. */
  read<T>(kind: Kind, needsModels: boolean, work: Reading<T>): Promise<T>;
}

/** Reads what is committed to a store. @param settle Waits until the models show it. */
export function readStore(store: Store, settle?: () => Promise<void> | undefined): RecordSource {
  return {
    async read(kind, needsModels, work) {
      if (needsModels) await settle?.();
      return work(store.reader, kind);
    },
  };
}

/** Reads what is published: each answer is of one generation. Fields that cost are hidden by the shapes, as they are in a store. */
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
