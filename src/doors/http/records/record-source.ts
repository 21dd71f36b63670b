import { takeTurn } from '../../../store/ask/index.ts';
import type { Generations, OpenGeneration } from '../../../store/generation/index.ts';
import type { Store } from '../../../store/live/index.ts';
import { type Reader, readPublishedResources, type ServedResource } from '../../../store/record/index.ts';

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
  const anyone = { reader: '', seesRates: true, signal: new AbortController().signal };
  return {
    read: (resource, _needsModels, work) =>
      takeTurn(anyone, async (turn) => {
        const generation = await turn.lease(() => generations.lease(generations.current())).open(turn.signal);
        const database = generation.database(turn.seesRates);
        const reading = known.get(generation) ?? readPublishedResources(database);
        known.set(generation, reading);
        const stored = await reading;
        const reader: Reader = {
          rows: (...query) => database.rows(...query),
          resourceOf: (name) => stored.get(name),
        };
        return work(reader, stored.get(resource.path) ?? resource);
      }),
  };
}
