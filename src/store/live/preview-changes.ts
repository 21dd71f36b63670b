import { type Database, readUntil } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { Generation } from '../generation/generations.ts';
import { keepAnswers, type PlannedAnswer } from '../record/planned/answer-references.ts';
import { nameChange, type PlannedChange, placeError } from '../record/planned/planned-change.ts';
import { runPlannedChange } from '../record/planned/run-planned-change.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { RecordWriter, Work, Written } from '../record/storage/record-writer.ts';
import {
  type ClosedDays,
  findClosed,
  findRefusedBill,
  findRefusedDay,
  findRefusedLines,
  needsTrial,
} from './closed-days.ts';
import { arePrices, type DatedWay, findDatedWay } from './dated-ways.ts';
import type { LiveSource, PreviewStage } from './live-source.ts';
import type { PendingChanges } from './live-state.ts';
import { sayMovedFees } from './moved-fees.ts';
import { refreshError } from './refresh-errors.ts';
import { openSnapshot } from './snapshots.ts';

export interface PreviewedChanges {
  readonly writer: Writer;
  readonly changes: readonly PlannedChange[];
  /** Further work, after the changes. */
  readonly work?: Work<void>;
  /** The relations of the data before that are read, beside the ledger. */
  readonly relations: readonly string[];
  readonly signal: AbortSignal;
}

/** The data before and after some changes, until the latter are undone. */
export interface PreviewedStates {
  readonly generation: Generation;
  readonly before: Database;
  /** Reads the data with the changes, and those before them by qualified names. */
  readonly after: Database;
  /** The name that qualifies relations of the data before. */
  readonly catalog: string;
  /** Sentences about the changes that days closed hard would refuse, and about what rates move. */
  readonly notes: readonly string[];
}

export interface PreviewedData {
  readonly source: Pick<LiveSource, 'database' | 'preview'>;
  readonly records: Pick<RecordWriter, 'undone'>;
  /** The present data: the numbers show all changes so far. */
  readonly generation: Generation;
  readonly pending: PendingChanges;
  readonly closed: readonly ClosedDays[];
}

/**
 * Writes some changes and refreshes the numbers in one transaction, reads them, and undoes it. Call only in a turn, just
 * after a refresh.
 * Days that are closed hard refuse no change here; what they would refuse is said.
 * @throws AppError as a write does otherwise, with the position of the change that is refused.
 */
export async function previewChanges<T>(
  { source, records, generation, pending, closed }: PreviewedData,
  { writer, changes, work, relations, signal }: PreviewedChanges,
  read: (states: PreviewedStates) => Promise<T>,
): Promise<T> {
  const snapshot = await openSnapshot(source.database, generation);
  const writeAll = async (stage: PreviewStage, write: WriteIn) => {
    const answers = keepAnswers();
    const notes: string[] = [];
    const told: Told = { arePrices: undefined, say: (sentence) => notes.push(sentence) };
    for (const change of changes) {
      try {
        const run: Work<PlannedAnswer> = (transaction) => runPlannedChange(transaction, change, answers);
        const { answer, refusal } = await writeChange(
          stage,
          closed,
          run,
          (each) => write(stage.session, writer, each),
          told,
        );
        answers.add(answer);
        if (refusal) notes.push(`${nameChange(change)} could not be written: it ${refusal.message}.`);
      } catch (error) {
        throw placeError(change, error);
      }
    }
    if (work) {
      const { refusal } = await writeChange(stage, closed, work, (each) => write(stage.session, writer, each), told);
      if (refusal) throw refusal;
    }
    await refresh(stage, async (session, isRebuilt) => {
      refuseRebuilt(isRebuilt);
      if (told.arePrices) notes.push(await sayMovedFees(session));
    });
    return notes;
  };
  try {
    return await records.undone((write) =>
      source.preview(
        async (stage) => {
          const notes = await writeAll(stage, write);
          const before = readUntil(signal, snapshot.database(true));
          return read({ generation, before, after: stage.session, catalog: stage.catalog, notes });
        },
        pending,
        relations,
        signal,
      ),
    );
  } finally {
    await snapshot.close();
  }
}

type WriteIn = Parameters<Parameters<RecordWriter['undone']>[0]>[0];

/** Sentences about the changes since the last refresh. */
interface Told {
  /** True if all of them are of bill rates alone; undefined if there are none. */
  arePrices: boolean | undefined;
  readonly say: (sentence: string) => void;
}

/**
 * Writes a change, and refreshes the numbers with it only to judge its effect on closed days.
 * @returns its answer, and the error that those days would refuse it with.
 */
async function writeChange<T>(
  stage: PreviewStage,
  closed: readonly ClosedDays[],
  run: Work<T>,
  write: (work: Work<T>) => Promise<Written<T>>,
  told: Told,
): Promise<{ readonly answer: T; readonly refusal: AppError | undefined }> {
  const isClosed = (day: string) => findClosed(closed, day) !== undefined;
  let refusal: AppError | undefined;
  let trial: { readonly way: DatedWay | undefined } | undefined;
  const { answer } = await write(async (transaction) => {
    const answered = await run({ ...transaction, isClosed });
    const changes = transaction.changes();
    refusal = findRefusedDay(closed, changes) ?? (await findRefusedBill(closed, changes, transaction));
    const isTried = !refusal && closed.length > 0 && (await needsTrial(closed, changes, transaction));
    if (isTried) trial = { way: findDatedWay(changes, transaction.writer) };
    told.arePrices = (told.arePrices ?? true) && arePrices(changes);
    return answered;
  });
  if (!trial) return { answer, refusal };
  const { way } = trial;
  await refresh(stage, async (session, isRebuilt) => {
    refusal = await findRefusedLines(closed, session, isRebuilt, way);
    if (told.arePrices) told.say(await sayMovedFees(session));
    told.arePrices = undefined;
  });
  return { answer, refusal };
}

async function refresh(stage: PreviewStage, inspect: Parameters<PreviewStage['refresh']>[0]): Promise<void> {
  await stage.refresh(inspect).catch((error: unknown) => {
    throw refreshError(error);
  });
}

function refuseRebuilt(isRebuilt: boolean): void {
  if (!isRebuilt) return;
  throw new AppError('limit', 'The changes would build all numbers again, so they can only be written');
}
