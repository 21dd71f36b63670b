import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, quoteText } from '../database/database.ts';
import { AppError } from '../error.ts';
import { loadsFolder, storageError } from '../generation/generation-files.ts';
import type { ControlTotals } from '../ingest/controls/file-totals.ts';
import type { IngestSummary } from '../ingest/controls/ingest-summary.ts';
import type { Live } from '../live/live.ts';
import { type IngestedLoads, ingestLoads, type PlacedLoad, readGivenSettings } from './ingest-loads.ts';
import { type LoadEntry, unpackFiles } from './load-log.ts';

export interface LoadData {
  readonly live: Pick<Live, 'store' | 'generations' | 'guarded'>;
  readonly database: Database;
  readonly file: string;
  /** The most memory of the engine for the records of files. Unit: MiB. */
  readonly memoryLimitMib: number;
  readonly now: () => Date;
}

/** The folder of a load in work, and its session of the working database. Nothing of it stays. */
export interface LoadRoom {
  readonly session: Database;
  readonly newFiles: string;
  /** Shows the progress. @param part From 0 to 1. */
  readonly show: (step: string, part: number) => void;
  pathOf(name: string): string;
  /** Reads the settings of the company, and names the folder for their file. */
  settings(): Promise<{ readonly folder: string; readonly settings: object }>;
  /** Puts the kept files of loads into folders, in their order. */
  unpack(loads: readonly LoadEntry[]): Promise<PlacedLoad[]>;
  close(): Promise<void>;
}

/** Opens the room of the one load in work. It removes what a killed one has left. */
export async function openRoom({ database, file }: LoadData, show: LoadRoom['show']): Promise<LoadRoom> {
  await rm(loadsFolder(file), { recursive: true, force: true });
  const folder = join(loadsFolder(file), randomUUID());
  const newFiles = join(folder, 'new');
  await mkdir(newFiles, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw storageError(file, cause, 'sync');
  });
  const session = await database.session();
  let known: object | undefined;
  return {
    session,
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
      await session.run('DETACH DATABASE IF EXISTS pulled; DETACH DATABASE IF EXISTS loaded');
      await session.close();
      await rm(loadsFolder(file), { recursive: true, force: true });
    },
  };
}

/** The records of all files, attached as `pulled`, beside those of the loads before, attached as `loaded`. */
export interface FileRecords {
  readonly summary: IngestSummary | undefined;
  readonly totals: readonly ControlTotals[];
  readonly hasSettings: boolean;
}

/** The most records of the files of all loads. Unit: records. */
export const MAX_LOADED_RECORDS = 3_000_000;

/**
 * Reads the files of the loads before, and of all loads now.
 * @param present The loads before.
 * @throws AppError as a load does, without the names of temporary folders; limit for too many records.
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
    const onProgress = (step: string, part: number) => room.show(step, from + part * share);
    const read = await ingestLoads(path, placed, settings, { memoryLimitMib, onProgress });
    await session.run(`ATTACH ${quoteText(path)} AS ${name}`);
    return read;
  };
  const before = present
    .map(({ id, mapping }) => ({ id, mapping, folder: room.pathOf(String(id)) }))
    .sort((a, b) => a.id - b.id);
  try {
    const share = before.length === 0 ? 0 : 0.5;
    await ingest('loaded', before, share, 0);
    const { summary, hasSettings } = await ingest('pulled', loads, 1 - share, share);
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
    return { summary, totals, hasSettings };
  } catch (error) {
    throw withoutFolders(error, room);
  }
}

/** Tells whether a file is one of a load before, by the name that it has among all files. */
function isOfEarlier(name: string): boolean {
  return /^load [0-9]+, /.test(name);
}

/** Returns an error that doesn't name the folder of new files, which its reader can't know. */
export function withoutFolders(error: unknown, { newFiles }: Pick<LoadRoom, 'newFiles'>): unknown {
  if (!(error instanceof AppError)) return error;
  const tell = (text: string) => text.replaceAll(`${newFiles}/`, '').replaceAll(newFiles, 'What was sent');
  const hint = error.hint === undefined ? {} : { hint: tell(error.hint) };
  return new AppError(error.code, tell(error.message), { ...hint, fields: error.fields, cause: error });
}
