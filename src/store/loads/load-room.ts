import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { type ControlTotals, type IngestSummary, requireUsed } from '../../records/ingest/index.ts';
import { storageError } from '../generation/generation-files.ts';
import type { Live } from '../live/live.ts';
import type { FileReader } from './file-reader.ts';
import { writeHere } from './foreign-records.ts';
import { type IngestedLoads, type KnownSettings, type PlacedLoad, readGivenSettings } from './ingest-loads.ts';
import { type LoadEntry, unpackFiles } from './load-log.ts';

export interface LoadData {
  readonly live: Pick<Live, 'store' | 'generations' | 'guarded'>;
  readonly database: Database;
  readonly file: string;
  /** The most memory of the engine for the records of files. Unit: MiB. */
  readonly memoryLimitMib: number;
  readonly now: () => Date;
  /** Opens the reader of the files of one load. */
  readonly openReader: () => FileReader;
}

/** The folder of a load in work, and its session of the working database. Nothing of it stays. */
export interface LoadRoom {
  /** Stops the load before it writes, and ends its reader. */
  readonly signal: AbortSignal;
  readonly session: Database;
  readonly reader: FileReader;
  readonly folder: string;
  readonly newFiles: string;
  /** Shows the progress. @param part From 0 to 1. */
  readonly show: (step: string, part: number) => void;
  pathOf(name: string): string;
  /** Reads the settings of the company, and names the folder for their file. */
  settings(): Promise<KnownSettings>;
  /** Puts the kept files of loads into folders, in their order. */
  unpack(loads: readonly LoadEntry[]): Promise<PlacedLoad[]>;
  close(): Promise<void>;
}

/** Opens the room of the one load in work. @param parent The folder in which its own is made. */
export async function openRoom(
  { database, file, openReader }: LoadData,
  parent: string,
  show: LoadRoom['show'],
  signal: AbortSignal,
): Promise<LoadRoom> {
  const folder = join(parent, 'room');
  const newFiles = join(folder, 'new');
  await mkdir(newFiles, { recursive: true }).catch((cause) => {
    throw storageError(file, cause, 'sync');
  });
  const reader = openReader();
  const session = await database.session().catch(async (error: unknown) => {
    await reader.close();
    throw error;
  });
  const endReader = () => void reader.close();
  signal.addEventListener('abort', endReader, { once: true });
  let known: object | undefined;
  return {
    signal,
    session,
    reader,
    folder,
    newFiles,
    show,
    pathOf: (name) => join(folder, name),
    async settings() {
      known ??= await readGivenSettings(session);
      return { folder: join(folder, 'settings'), settings: known };
    },
    async unpack(loads) {
      const placed: PlacedLoad[] = [];
      for (const { id, mapping } of [...loads].sort((a, b) => a.id - b.id)) {
        const place = join(folder, String(id));
        await mkdir(place);
        await unpackFiles(session, id, place);
        placed.push({ id, folder: place, mapping });
      }
      return placed;
    },
    async close() {
      signal.removeEventListener('abort', endReader);
      await reader.close();
      await session.run('DETACH DATABASE IF EXISTS pulled; DETACH DATABASE IF EXISTS loaded');
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The records of all files, attached as `pulled`, beside those of the loads before, attached as `loaded`. */
export interface FileRecords {
  readonly summary: IngestSummary | undefined;
  /** Sentences on lists of the summary that are cut. */
  readonly cuts: readonly string[];
  readonly totals: readonly ControlTotals[];
  readonly hasSettings: boolean;
}

/** The most records of the files of all loads. Unit: records. */
export const MAX_LOADED_RECORDS = 3_000_000;

/**
 * Reads the files of the loads before, and of all loads now.
 * @param present The loads before.
 * @throws AppError as a load does; limit for too many records.
 */
export async function readRecords(
  { memoryLimitMib }: LoadData,
  room: LoadRoom,
  present: readonly LoadEntry[],
  loads: readonly PlacedLoad[],
): Promise<FileRecords> {
  const { session } = room;
  const settings = await room.settings();
  const ingest = async (
    name: string,
    placed: readonly PlacedLoad[],
    share: number,
    from: number,
  ): Promise<IngestedLoads> => {
    const path = room.pathOf(`${name}.duckdb`);
    const onStep = (step: string, part: number) => room.show(step, from + part * share);
    const here = room.pathOf(`${name}.here.parquet`);
    room.signal.throwIfAborted();
    await writeHere(session, here, name === 'pulled');
    const read = await room.reader.ingest({ path, loads: placed, settings, memoryLimitMib, here }, onStep);
    await session.run(`ATTACH ${quoteText(path)} AS ${name}`);
    return read;
  };
  const before = present
    .map(({ id, mapping }) => ({ id, mapping, folder: room.pathOf(String(id)) }))
    .sort((a, b) => a.id - b.id);
  const share = before.length === 0 ? 0 : 0.5;
  await ingest('loaded', before, share, 0);
  const { summary, cuts, hasSettings } = await ingest('pulled', loads, 1 - share, share);
  const records = summary?.resources.reduce((sum, { loaded }) => sum + loaded, 0) ?? 0;
  if (records > MAX_LOADED_RECORDS) {
    throw new AppError(
      'limit',
      `The files of all loads have ${records} records; at most ${MAX_LOADED_RECORDS} are loaded here`,
      {
        hint: 'Put the files into a folder, and load them with the command plumbline load.',
      },
    );
  }
  const totals = summary?.controls.filter(({ file }) => !isOfEarlier(file)) ?? [];
  if (summary) requireUsed({ ...summary, controls: totals });
  return { summary, cuts, totals, hasSettings };
}

/** Tells whether a file is one of a load before, by the name that it has among all files. */
function isOfEarlier(name: string): boolean {
  return /^load [0-9]+, /.test(name);
}
