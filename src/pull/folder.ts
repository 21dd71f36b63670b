import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading } from './reading.ts';
import type { FieldTypes } from './value-types.ts';

/** The age from which a killed run starts again, instead of being resumed. Unit: h. */
export const MAX_RESUME_HOURS = 12;

const HOUR_MS = 3_600_000;

const VERSION = 3;

const DIRECTORY = 'records';

const MANIFEST = 'manifest.json';

/** The start of a run, fixed when it begins and kept when it is resumed. */
export interface RunStart {
  /** The source's clock, as YYYY-MM-DD HH:MM:SS in UTC. */
  readonly startedAt: string;
  /** The clock of this machine at that moment, in the same form. */
  readonly startedHere: string;
  /** The reason for reading everything; undefined for changes only. */
  readonly wholeBecause: string | undefined;
  /** Changes are read since then. Unit: ms since 1970. */
  readonly since: number | undefined;
  /** Records created later may come in while lists are read. Unit: ms since 1970. */
  readonly settledMs: number;
  /** The open positions in delete logs, by resource. */
  readonly cursors: Readonly<Record<string, string>>;
  /** The settings of the company, as JSON; undefined if the source doesn't send them, or if only changes are read. */
  readonly settings: string | undefined;
}

export interface ListState {
  /** The good part of its file. Unit: bytes. */
  readonly bytes: number;
  /** Records in it. */
  readonly read: number;
  readonly isDone: boolean;
  /** The path in use; undefined if the source has none. */
  readonly path: string | undefined;
  readonly isWhole: boolean;
  readonly query: number;
  /** The good part when that query began. Unit: bytes, records. */
  readonly queryBytes: number;
  readonly queryRead: number;
  readonly reading: Reading | undefined;
  readonly types: FieldTypes;
  /** The ids of the records that are too large for it. */
  readonly large: readonly string[];
}

interface Manifest {
  readonly version: number;
  /** The source, the state and the kind of the run, as a digest. */
  readonly key: string;
  /** By this machine's clock. Unit: ms since 1970. */
  readonly beganMs: number;
  readonly start: RunStart;
  readonly notes: readonly string[];
  readonly lists: Readonly<Record<string, ListState>>;
}

/** The folder of one run: the records read so far, and a manifest of its good part. One process at a time uses it. */
export interface Folder {
  readonly directory: string;
  readonly start: RunStart;
  /** True if it holds records that a killed run has read. */
  readonly isResumed: boolean;
  notes(): readonly string[];
  note(sentence: string): Promise<void>;
  list(resource: string): ListState | undefined;
  save(resource: string, state: ListState): Promise<void>;
}

/**
 * Opens the folder of a run: resumes a killed run with the same key, or begins one.
 * @param begin Determines the start of a new run.
 */
export async function openFolder(
  path: string,
  key: string,
  now: number,
  begin: () => Promise<RunStart>,
): Promise<Folder> {
  const directory = join(path, DIRECTORY);
  const file = join(path, MANIFEST);
  const found = await readManifest(file);
  const isFresh = found?.key === key && now >= found.beganMs && now - found.beganMs < MAX_RESUME_HOURS * HOUR_MS;
  if (!isFresh) await discardPulled(path);
  // The records hold cost rates.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  let manifest: Manifest =
    found && isFresh ? found : { version: VERSION, key, beganMs: now, start: await begin(), notes: [], lists: {} };
  const write = async (change: Partial<Manifest>) => {
    manifest = { ...manifest, ...change };
    await writeFile(`${file}.next`, JSON.stringify(manifest), { mode: 0o600 });
    await rename(`${file}.next`, file);
  };
  await write({});
  return {
    directory,
    start: manifest.start,
    isResumed: isFresh && Object.keys(found.lists).length > 0,
    notes: () => manifest.notes,
    note: (sentence) => write({ notes: [...new Set([...manifest.notes, sentence])] }),
    list: (resource) => manifest.lists[resource],
    save: (resource, state) => write({ lists: { ...manifest.lists, [resource]: state } }),
  };
}

/** Removes the records of a run, once they are stored or refused. Until then, the next run with the same state resumes it. */
export async function discardPulled(folder: string): Promise<void> {
  await rm(join(folder, MANIFEST), { force: true });
  await rm(join(folder, DIRECTORY), { recursive: true, force: true });
}

async function readManifest(file: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
    return manifest.version === VERSION ? manifest : undefined;
  } catch {
    return undefined;
  }
}
