import { readFirstRecords } from './first-records.ts';
import {
  type IngestedLoads,
  ingestLoads,
  type KnownSettings,
  type PlacedLoad,
  parseLoadMapping,
} from './ingest-loads.ts';
import type { FirstRecords } from './load-json.ts';
import type { LoadedFile } from './load-log.ts';
import { type UnderstoodFiles, understandFiles } from './understand-files.ts';

/** The new files of a load, to be understood from their first rows. */
export interface UnderstandJob {
  readonly folder: string;
  readonly files: readonly LoadedFile[];
  /** The text of a mapping that says how to read them; undefined to find one. */
  readonly given: string | undefined;
  /** The mappings of earlier loads, the newest first. */
  readonly known: readonly string[];
  readonly settings: KnownSettings;
  /** False to leave out rates and costs. */
  readonly seesRates: boolean;
  /** True if decisions may stay open. */
  readonly mayBeOpen: boolean;
}

export interface UnderstoodLoad {
  readonly understood: UnderstoodFiles;
  readonly first: readonly FirstRecords[];
}

/** The files of loads, to be read into a new database. */
export interface IngestJob {
  /** The path of the database. */
  readonly path: string;
  readonly loads: readonly PlacedLoad[];
  readonly settings: KnownSettings;
  /** The most memory of the engine. Unit: MiB. */
  readonly memoryLimitMib: number;
  /** The path of the ids of live records that rows may describe. */
  readonly here: string;
}

/** Called with a step of a job, and the part of it that is done, from 0 to 1. */
export type OnStep = (step: string, part: number) => void;

/** A reader of the files of one load: all that parses what a client has sent. One call at a time. */
export interface FileReader {
  /** @throws AppError input for files that can't be read; also for open decisions, if none may stay. */
  understand(job: UnderstandJob): Promise<UnderstoodLoad>;
  /** Reads the files of loads; see ingestLoads. */
  ingest(job: IngestJob, onStep: OnStep): Promise<IngestedLoads>;
  close(): Promise<void>;
}

/** Returns a reader that works on this thread. */
export function makeFileReader(): FileReader {
  return {
    understand,
    ingest: ({ path, loads, settings, memoryLimitMib, here }, onProgress) =>
      ingestLoads(path, loads, settings, { memoryLimitMib, onProgress, here }),
    close: async () => undefined,
  };
}

async function understand(job: UnderstandJob): Promise<UnderstoodLoad> {
  const { folder, files, given, known, settings, seesRates, mayBeOpen } = job;
  const read = async (mappings: readonly string[]): Promise<UnderstoodLoad> => {
    const understood = await understandFiles(folder, files, given, mappings);
    const isOpen = understood.open.length > 0;
    const first = isOpen ? [] : await readFirstRecords(folder, understood.mapping, settings, seesRates);
    return { understood, first };
  };
  const found = await read(known).catch((error: unknown) => {
    // A mapping of other files may name columns that these don't have.
    if (given !== undefined || known.length === 0) throw error;
    return read([]);
  });
  const { mapping, open } = found.understood;
  if (open.length === 0 || !mayBeOpen) parseLoadMapping(mapping);
  return found;
}
