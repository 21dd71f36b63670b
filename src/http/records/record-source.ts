import type { Generations, OpenGeneration } from '../../generation/generations.ts';
import type { Store } from '../../live/store.ts';
import { readPublishedResources } from '../../record/published.ts';
import type { ServedResource } from '../../record/records.ts';
import type { Reader } from '../../record/rules/rules.ts';

/** A function that reads records of a single state. @param resource The resource as that state holds it. */
export type ReadRecords<T> = (reader: Reader, resource: ServedResource) => Promise<T>;

export interface RecordSource {
  /** Reads records. @param needsModels True if the models must show all committed writes. */
  read<T>(resource: ServedResource, needsModels: boolean, work: ReadRecords<T>): Promise<T>;
}

/** Reads records committed to a store. @param settle Waits until the models show them. */
export function readStore(store: Store, settle?: () => Promise<void> | undefined): RecordSource {
  return {
    async read(resource, needsModels, work) {
      if (needsModels) await settle?.();
      return work(store.reader, resource);
    },
  };
}

/** Reads published records; each answer reads one generation. Shapes hide fields with costs. */
export function readPublished(generations: Generations): RecordSource {
  const known = new WeakMap<OpenGeneration, ReturnType<typeof readPublishedResources>>();
  const never = new AbortController().signal;
  return {
    async read(resource, _needsModels, work) {
      const lease = generations.lease(generations.current());
      try {
        const generation = await lease.open(never);
        const database = generation.database(true);
        const reading = known.get(generation) ?? readPublishedResources(database);
        known.set(generation, reading);
        const stored = await reading;
        const reader: Reader = {
          rows: (...query) => database.rows(...query),
          resourceOf: (name) => stored.get(name),
        };
        return await work(reader, stored.get(resource.path) ?? resource);
      } finally {
        lease.release();
      }
    },
  };
}
