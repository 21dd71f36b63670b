/*
 * Loads of files into live data, while others read and write them. The files of each load are kept, and the records of files are those
 * of all loads that aren't undone: a further month doesn't replace the one before. What others have written stays.
 */
import { AppError } from '../../base/index.ts';
import { changeRecords, type LoadAuthor } from './change-records.ts';
import type { UnderstoodLoad } from './file-reader.ts';
import type { PlacedLoad } from './ingest-loads.ts';
import { type LoadFolder, openLoadFolders } from './load-folders.ts';
import type { LoadProgress, QuestionName, ToldEffect, ToldLoad, UnderstoodFile } from './load-json.ts';
import { findLoad, type LoadEntry, noteLoad, noteUndone, packFile, readLoads } from './load-log.ts';
import type { Decisions } from './load-questions.ts';
import { type LoadData, type LoadRoom, openRoom, readRecords } from './load-room.ts';
import { assertNew, type NewFile, placeFiles } from './new-files.ts';
import { withoutFolders } from './told-error.ts';

export interface LoadRequest {
  /** The folder in which the load works: that of its files. */
  readonly folder: string;
  readonly files: readonly NewFile[];
  /** The text of a mapping that says how to read them; undefined to find one. */
  readonly mapping: string | undefined;
  readonly decisions: Decisions;
  /** first: only understand the files. true: read them wholly, too, and write nothing. */
  readonly dryRun: 'first' | boolean;
}

export interface Loads {
  /** Makes a folder for files of a reader on their way. Must be removed. @throws AppError busy for too many, of all or of this one. */
  receive(reader: string): Promise<LoadFolder>;
  /** Understands files, tells what they change, and loads them unless it is a dry run. @throws AppError as a load does. */
  load(request: LoadRequest, loader: LoadAuthor): Promise<ToldLoad>;
  /** Takes a load back: the records are those of the other loads. */
  undo(
    id: string,
    request: { readonly decisions: Decisions; readonly dryRun: boolean },
    loader: LoadAuthor,
  ): Promise<ToldEffect>;
  list(): Promise<LoadEntry[]>;
  /** Returns the progress of the load that is in work; undefined without one. */
  progress(): LoadProgress | undefined;
  /** Stops the load in work, unless it writes already, and waits for its end. */
  close(): Promise<void>;
}

/** Opens the loads of live data. One is in work at a time. */
export function openLoads(data: LoadData): Loads {
  let progress: LoadProgress | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  const folders = openLoadFolders(data.file);
  const work = async <T>(folder: string, { signal }: LoadAuthor, use: (room: LoadRoom) => Promise<T>): Promise<T> => {
    const either = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
    const show = (step: string, part: number) => {
      progress = { step, part };
    };
    try {
      either.throwIfAborted();
      const room = await openRoom(data, folder, show, either);
      return await use(room)
        .catch((error: unknown) => {
          // The reader was ended, which is no error of its files.
          either.throwIfAborted();
          throw withoutFolders(error, room.folder);
        })
        .finally(room.close);
    } finally {
      progress = undefined;
    }
  };
  const alone = <T>(...args: Parameters<typeof work<T>>): Promise<T> => {
    if (progress) {
      throw new AppError('busy', 'Other files are being loaded', { hint: 'Try again when they are.' });
    }
    progress = { step: 'receiving', part: 0 };
    const working = work(...args);
    ended = working.catch(() => undefined);
    return working;
  };
  return {
    receive: folders.make,
    load: async (request, loader) => alone(request.folder, loader, (room) => loadFiles(data, room, request, loader)),
    async undo(id, request, loader) {
      const { folder, remove } = await folders.make();
      try {
        return await alone(folder, loader, (room) => undoLoad(data, room, id, request, loader));
      } finally {
        await remove();
      }
    },
    list: () => readLoads(data.database),
    progress: () => progress,
    async close() {
      closing.abort(
        new AppError('busy', 'The server is stopping', { hint: 'Nothing was loaded. Send the files again.' }),
      );
      await ended;
    },
  };
}

async function loadFiles(data: LoadData, room: LoadRoom, request: LoadRequest, loader: LoadAuthor): Promise<ToldLoad> {
  const { decisions, dryRun } = request;
  const loads = await readLoads(data.database);
  const present = loads.filter(({ undoneAt }) => undoneAt === null);
  const files = await placeFiles(room.newFiles, request.files);
  assertNew(files, present);
  const understood = await room.reader.understand({
    folder: room.newFiles,
    files,
    given: request.mapping,
    known: present.map(({ mapping }) => mapping),
    settings: await room.settings(),
    seesRates: loader.writer.seesRates,
    mayBeOpen: dryRun !== false,
  });
  const { mapping, open } = understood.understood;
  if (dryRun === 'first' || open.length > 0) return { ...withFirst(understood), id: null };
  const own: PlacedLoad = { id: undefined, folder: room.newFiles, mapping };
  const read = await readRecords(data, room, present, [...(await room.unpack(present)), own]);
  const id = (loads[0]?.id ?? 0) + 1;
  const packed = dryRun
    ? []
    : await Promise.all(
        files.map(async (file, at) => ({ ...file, packed: await packFile(file.path, room.pathOf(`${at}.gz`)) })),
      );
  const note = (at: string) => noteLoad({ id, loadedBy: loader.label, mapping, totals: read.totals }, packed, at);
  const effect = await changeRecords(data, room, read, { decisions, dryRun, note }, loader);
  return { ...withFirst(understood), ...effect, id: dryRun ? null : id };
}

/** Puts the first records of files beside their meaning. */
function withFirst({ understood, first }: UnderstoodLoad): Omit<ToldLoad, 'id'> {
  const nameOf = ({ file, sheet }: UnderstoodFile) => (sheet === null ? file : `${file}, sheet ${sheet}`);
  const files = understood.files.map((file) => ({
    ...file,
    first: first.find((records) => records.file === nameOf(file)) ?? null,
  }));
  return { ...understood, files };
}

async function undoLoad(
  data: LoadData,
  room: LoadRoom,
  name: string,
  { decisions, dryRun }: { readonly decisions: Decisions; readonly dryRun: boolean },
  loader: LoadAuthor,
): Promise<ToldEffect> {
  const loads = await readLoads(data.database);
  const load = findLoad(loads, name);
  if (load.undoneAt !== null) {
    throw new AppError('busy', `Load ${load.id} was taken back at ${load.undoneAt} by ${load.undoneBy}`, {
      hint: 'Load its files again to have them.',
    });
  }
  const present = loads.filter(({ undoneAt }) => undoneAt === null);
  const placed = await room.unpack(present);
  const read = await readRecords(
    data,
    room,
    present,
    placed.filter(({ id }) => id !== load.id),
  );
  const note = (at: string) => [noteUndone(load.id, loader.label, at)];
  // To take a load back is the answer to whether fewer hours are meant.
  const accepted: QuestionName[] = [...decisions.accepted, 'fewer'];
  return changeRecords(data, room, read, { decisions: { ...decisions, accepted }, dryRun, note }, loader);
}
