/*
 * Loads of files into live data, while others read and write them. The files of each load are kept, and the records of files are those
 * of all loads that aren't undone: a further month doesn't replace the one before. What others have written stays.
 */
import { AppError } from '../error.ts';
import { changeRecords, type LoadAuthor } from './change-records.ts';
import { readFirstRecords } from './first-records.ts';
import { type PlacedLoad, parseLoadMapping } from './ingest-loads.ts';
import type { FirstRecords, LoadProgress, QuestionName, ToldEffect, ToldLoad, UnderstoodFile } from './load-json.ts';
import { findLoad, type LoadEntry, noteLoad, noteUndone, packFile, readLoads } from './load-log.ts';
import type { Decisions } from './load-questions.ts';
import { type LoadData, type LoadRoom, openRoom, readRecords } from './load-room.ts';
import { assertNew, type NewFile, placeFiles } from './new-files.ts';
import { type UnderstoodFiles, understandFiles } from './understand-files.ts';

export interface LoadRequest {
  readonly files: readonly NewFile[];
  /** The text of a mapping that says how to read them; undefined to find one. */
  readonly mapping: string | undefined;
  readonly decisions: Decisions;
  /** first: only understand the files. true: read them wholly, too, and write nothing. */
  readonly dryRun: 'first' | boolean;
}

export interface Loads {
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
}

/** Opens the loads of live data. One is in work at a time. */
export function openLoads(data: LoadData): Loads {
  let progress: LoadProgress | undefined;
  const alone = async <T>(work: (room: LoadRoom) => Promise<T>): Promise<T> => {
    if (progress) {
      throw new AppError('busy', 'Other files are being loaded', { hint: 'Try again when they are.' });
    }
    progress = { step: 'receiving', part: 0 };
    const show = (step: string, part: number) => {
      progress = { step, part };
    };
    try {
      const room = await openRoom(data, show);
      return await work(room).finally(room.close);
    } finally {
      progress = undefined;
    }
  };
  return {
    load: (request, loader) => alone((room) => loadFiles(data, room, request, loader)),
    undo: (id, request, loader) => alone((room) => undoLoad(data, room, id, request, loader)),
    list: () => readLoads(data.database),
    progress: () => progress,
  };
}

async function loadFiles(data: LoadData, room: LoadRoom, request: LoadRequest, loader: LoadAuthor): Promise<ToldLoad> {
  const { decisions, dryRun } = request;
  const { seesRates } = loader.writer;
  const loads = await readLoads(data.database);
  const present = loads.filter(({ undoneAt }) => undoneAt === null);
  const files = await placeFiles(room.newFiles, request.files);
  assertNew(files, present);
  const known = present.map(({ mapping }) => mapping);
  const understand = (mappings: readonly string[]) => understandFiles(room.newFiles, files, request.mapping, mappings);
  const readFirst = async ({ mapping, open }: UnderstoodFiles) =>
    open.length > 0 ? [] : readFirstRecords(room.newFiles, mapping, await room.settings(), seesRates);
  let understood = await understand(known);
  let first: readonly FirstRecords[];
  try {
    first = await readFirst(understood);
  } catch (error) {
    // A mapping of other files may name columns that these don't have.
    if (request.mapping !== undefined || known.length === 0) throw error;
    understood = await understand([]);
    first = await readFirst(understood);
  }
  const { mapping, open } = understood;
  if (open.length === 0) parseLoadMapping(mapping);
  if (dryRun === 'first' || (dryRun && open.length > 0)) return { ...withFirst(understood, first), id: null };
  if (open.length > 0) parseLoadMapping(mapping);
  const own: PlacedLoad = { id: undefined, folder: room.newFiles, mapping };
  const read = await readRecords(data, room, present, [...(await room.unpack(present)), own]);
  const id = (loads[0]?.id ?? 0) + 1;
  const packed = dryRun
    ? []
    : await Promise.all(
        files.map(async (file, at) => ({ ...file, packed: await packFile(file.content, room.pathOf(`${at}.gz`)) })),
      );
  const note = (at: string) => noteLoad({ id, loadedBy: loader.label, mapping, totals: read.totals }, packed, at);
  const effect = await changeRecords(data, room, read, { decisions, dryRun, note }, loader);
  return { ...withFirst(understood, first), ...effect, id: dryRun ? null : id };
}

/** Puts the first records of files beside their meaning. */
function withFirst(understood: UnderstoodFiles, first: readonly FirstRecords[]): Omit<ToldLoad, 'id'> {
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
