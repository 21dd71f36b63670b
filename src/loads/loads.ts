/*
 * Loads of files into live data, while others read and write them. The files of each load are kept, and the records of files are those
 * of all loads that aren't undone: a further month doesn't replace the one before. What others have written stays.
 */
import { formatTime } from '../database/database.ts';
import { AppError } from '../error.ts';
import { readAmounts } from '../ingest/controls/amount-totals.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { Work } from '../record/storage/record-writer.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { mergeRecords } from '../sync/merge.ts';
import { type ComparedLoads, compareLoads } from './compare-loads.ts';
import { type FirstRecords, readFirstRecords } from './first-records.ts';
import { type PlacedLoad, parseLoadMapping } from './ingest-loads.ts';
import { findLoad, type LoadEntry, noteLoad, noteUndone, packFile, readLoads } from './load-log.ts';
import { assertAnswered, type Decisions, type QuestionName, readQuestions } from './load-questions.ts';
import { type FileRecords, type LoadData, type LoadRoom, openRoom, readRecords } from './load-room.ts';
import { assertNew, type NewFile, placeFiles } from './new-files.ts';
import { readDays } from './told-changes.ts';
import { type LoadEffect, tellEffect, tellTotals } from './told-effect.ts';
import { type UnderstoodFiles, understandFiles } from './understand-files.ts';

/** Files that are to be loaded. */
export interface LoadRequest {
  readonly files: readonly NewFile[];
  /** The text of a mapping that says how to read them; undefined to find one. */
  readonly mapping: string | undefined;
  readonly decisions: Decisions;
  /** first: only understand the files. true: read them wholly, too, and write nothing. */
  readonly dryRun: 'first' | boolean;
}

/** The answer to a load: what was understood, and what it changes. */
export interface LoadAnswer extends Partial<LoadEffect>, UnderstoodFiles {
  readonly first: readonly FirstRecords[];
  /** The load; undefined of a dry run. */
  readonly id: number | undefined;
}

/** The one who loads. */
export interface LoadAuthor {
  readonly writer: Writer;
  /** The name in the list of loads. */
  readonly label: string;
  /** Reads what becomes of the reports by some work, from a first to a last day. */
  readonly preview?:
    | ((work: Work<void>, days: { readonly first: string; readonly last: string }) => Promise<unknown>)
    | undefined;
}

/** The progress of the load that is in work. */
export interface LoadProgress {
  readonly step: string;
  /** The part of the step that is done, from 0 to 1. */
  readonly part: number;
}

export interface Loads {
  /** Understands files, tells what they change, and loads them unless it is a dry run. @throws AppError as a load does. */
  load(request: LoadRequest, loader: LoadAuthor): Promise<LoadAnswer>;
  /** Takes a load back: the records are those of the other loads. */
  undo(
    id: string,
    request: { readonly decisions: Decisions; readonly dryRun: boolean },
    loader: LoadAuthor,
  ): Promise<LoadEffect>;
  list(): Promise<LoadEntry[]>;
  /** Returns the progress of the load that is in work; undefined without one. */
  progress(): LoadProgress | undefined;
}

/** The most changed records that are noted one by one while days are closed hard, so that their effect is known. Unit: records. */
export const MAX_JUDGED_RECORDS = 100_000;

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

async function loadFiles(
  data: LoadData,
  room: LoadRoom,
  request: LoadRequest,
  loader: LoadAuthor,
): Promise<LoadAnswer> {
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
  if (dryRun === 'first' || (dryRun && open.length > 0)) return { ...understood, first, id: undefined };
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
  const effect = await change(data, room, read, { decisions, dryRun, note }, loader);
  return { ...understood, first, ...effect, id: dryRun ? undefined : id };
}

async function undoLoad(
  data: LoadData,
  room: LoadRoom,
  name: string,
  { decisions, dryRun }: { readonly decisions: Decisions; readonly dryRun: boolean },
  loader: LoadAuthor,
): Promise<LoadEffect> {
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
  return change(data, room, read, { decisions: { ...decisions, accepted }, dryRun, note }, loader);
}

interface ChangeRequest {
  readonly decisions: Decisions;
  readonly dryRun: boolean;
  /** Returns the statements that note the load. */
  readonly note: (at: string) => readonly string[];
}

/** Compares the records of files with the live data, and writes the differences unless it is a dry run. */
async function change(
  { live, now }: LoadData,
  { session, show }: LoadRoom,
  { summary, totals, hasSettings }: FileRecords,
  { decisions, dryRun, note }: ChangeRequest,
  { writer, preview }: LoadAuthor,
): Promise<LoadEffect> {
  const at = formatTime(now());
  const compare = () => compareLoads(session, decisions.prefer ?? 'here', at);
  const write = async (transaction: Transaction, { lists, differences }: ComparedLoads) => {
    const limit = live.guarded().length > 0 ? MAX_JUDGED_RECORDS : undefined;
    await mergeRecords(transaction, lists, differences, hasSettings, limit);
    // Records that were set aside are told with their load.
    transaction.run(note(at));
  };
  show('comparing', 0);
  const tell = async (compared: ComparedLoads): Promise<LoadEffect> =>
    tellEffect({ summary, totals }, compared, await readQuestions(session, compared, decisions), writer);
  if (!dryRun) {
    show('writing', 0);
    const effect = await live.store.write(writer, async (transaction) => {
      // Writes in the journal count, too.
      await transaction.rows('SELECT 1');
      const compared = await compare();
      const told = await tell(compared);
      assertAnswered(told.questions);
      await write(transaction, compared);
      return told;
    });
    show('computing the numbers', 0);
    await live.generations.settle();
    return { ...effect, ...tellTotals(await readAmounts(session, totals, 'pulled.source.control_origins'), writer) };
  }
  const compared = await compare();
  const told = await tell(compared);
  const days = await readDays(session);
  if (!preview || !days) return told;
  show('computing the reports', 0);
  try {
    return { ...told, preview: await preview((transaction) => write(transaction, compared), days) };
  } catch (error) {
    // Too many changes to be tried, or too long: the changes themselves are known.
    if (!(error instanceof AppError) || !['limit', 'storage'].includes(error.code)) throw error;
    return { ...told, notes: [...told.notes, `What becomes of the reports isn't known: ${error.message}.`] };
  }
}
