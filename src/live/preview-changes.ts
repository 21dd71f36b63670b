import { type Database, readUntil } from '../database/database.ts';
import { AppError } from '../error.ts';
import type { Generation } from '../generation/generations.ts';
import { keepAnswers, type PlannedAnswer } from '../record/planned/answer-references.ts';
import { nameChange, type PlannedChange, placeError } from '../record/planned/planned-change.ts';
import { runPlannedChange } from '../record/planned/run-planned-change.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { RecordWriter, Work, Written } from '../record/storage/record-writer.ts';
import { COMPARED_RELATIONS } from '../report/run/run.ts';
import { areDated, type ClosedDays, findClosed, findRefusedDay, findRefusedLines, needsTrial } from './closed-days.ts';
import type { LiveSource, PreviewStage } from './live-source.ts';
import type { PendingChanges } from './live-state.ts';
import { refreshError } from './refresh-errors.ts';
import { openSnapshot } from './snapshots.ts';

export interface PreviewedChanges {
  readonly writer: Writer;
  readonly changes: readonly PlannedChange[];
  /** Further work, after the changes. */
  readonly work?: Work<void>;
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
  /** Sentences about the changes that days closed hard would refuse. */
  readonly refusals: readonly string[];
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
  { writer, changes, work, signal }: PreviewedChanges,
  read: (states: PreviewedStates) => Promise<T>,
): Promise<T> {
  const snapshot = await openSnapshot(source.database, generation);
  const writeAll = async (stage: PreviewStage, write: WriteIn) => {
    const answers = keepAnswers();
    const refusals: string[] = [];
    for (const change of changes) {
      try {
        const run: Work<PlannedAnswer> = (transaction) => runPlannedChange(transaction, change, answers);
        const { answer, refusal } = await writeChange(stage, closed, run, (each) => write(stage.session, writer, each));
        answers.add(answer);
        if (refusal) refusals.push(`${nameChange(change)} could not be written: it ${refusal.message}.`);
      } catch (error) {
        throw placeError(change, error);
      }
    }
    if (work) {
      const { refusal } = await writeChange(stage, closed, work, (each) => write(stage.session, writer, each));
      if (refusal) throw refusal;
    }
    await refresh(stage, refuseRebuilt);
    return refusals;
  };
  try {
    return await records.undone((write) =>
      source.preview(
        async (stage) => {
          const refusals = await writeAll(stage, write);
          const before = readUntil(signal, snapshot.database(true));
          return read({ generation, before, after: stage.session, catalog: stage.catalog, refusals });
        },
        pending,
        COMPARED_RELATIONS,
        signal,
      ),
    );
  } finally {
    await snapshot.close();
  }
}

type WriteIn = Parameters<Parameters<RecordWriter['undone']>[0]>[0];

/**
 * Writes a change, and refreshes the numbers with it only to judge its effect on closed days.
 * @returns its answer, and the error that those days would refuse it with.
 */
async function writeChange<T>(
  stage: PreviewStage,
  closed: readonly ClosedDays[],
  run: Work<T>,
  write: (work: Work<T>) => Promise<Written<T>>,
): Promise<{ readonly answer: T; readonly refusal: AppError | undefined }> {
  const isClosed = (day: string) => findClosed(closed, day) !== undefined;
  let refusal: AppError | undefined;
  let trial: { readonly hasDates: boolean } | undefined;
  const { answer } = await write(async (transaction) => {
    const answered = await run({ ...transaction, isClosed });
    const changes = transaction.changes();
    refusal = findRefusedDay(closed, changes);
    const isTried = !refusal && closed.length > 0 && (await needsTrial(closed, changes, transaction));
    if (isTried) trial = { hasDates: areDated(changes) };
    return answered;
  });
  if (!trial) return { answer, refusal };
  const { hasDates } = trial;
  await refresh(stage, async (session, isRebuilt) => {
    refusal = await findRefusedLines(closed, session, isRebuilt, hasDates);
  });
  return { answer, refusal };
}

async function refresh(stage: PreviewStage, inspect: Parameters<PreviewStage['refresh']>[0]): Promise<void> {
  await stage.refresh(inspect).catch((error: unknown) => {
    throw refreshError(error);
  });
}

async function refuseRebuilt(_session: Database, isRebuilt: boolean): Promise<void> {
  if (!isRebuilt) return;
  throw new AppError('limit', 'The changes would build all numbers again, so they can only be written');
}
