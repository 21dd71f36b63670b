import { formatTime } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { readAmounts } from '../../records/ingest/index.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { Work } from '../record/storage/record-writer.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { mergeRecords } from '../sync/merge.ts';
import { type ComparedLoads, compareLoads } from './compare-loads.ts';
import type { ReportEffect, ToldEffect } from './load-json.ts';
import { assertAnswered, type Decisions, readQuestions } from './load-questions.ts';
import type { FileRecords, LoadData, LoadRoom } from './load-room.ts';
import { readDays } from './told-changes.ts';
import { tellEffect } from './told-effect.ts';
import { tellTotals } from './told-totals.ts';

export interface LoadAuthor {
  readonly writer: Writer;
  /** The name in the list of loads. */
  readonly label: string;
  /** Stops the load as long as nothing is written. */
  readonly signal?: AbortSignal | undefined;
  /** Reads what becomes of the reports by some work, from a first to a last day. */
  readonly preview?:
    | ((work: Work<void>, days: { readonly first: string; readonly last: string }) => Promise<ReportEffect>)
    | undefined;
}

/** The most changed records that are noted one by one while days are closed hard, so that their effect is known. Unit: records. */
export const MAX_JUDGED_RECORDS = 100_000;

interface ChangeRequest {
  readonly decisions: Decisions;
  readonly dryRun: boolean;
  /** Returns the statements that note the load. */
  readonly note: (at: string) => readonly string[];
}

/** Compares the records of files with the live data, and writes the differences unless it is a dry run. */
export async function changeRecords(
  { live, now }: LoadData,
  { session, show, signal }: LoadRoom,
  { summary, cuts, totals, hasSettings }: FileRecords,
  { decisions, dryRun, note }: ChangeRequest,
  { writer, preview }: LoadAuthor,
): Promise<ToldEffect> {
  const at = formatTime(now());
  const compare = () => compareLoads(session, decisions.prefer ?? 'here', at);
  const write = async (transaction: Transaction, { lists, differences }: ComparedLoads) => {
    const limit = live.guarded().length > 0 ? MAX_JUDGED_RECORDS : undefined;
    await mergeRecords(transaction, lists, differences, hasSettings, limit);
    // Records that were set aside are told with their load.
    transaction.run(note(at));
  };
  show('comparing', 0);
  const tell = async (compared: ComparedLoads): Promise<ToldEffect> =>
    tellEffect(
      { summary, cuts, totals },
      compared,
      await readQuestions(session, compared, decisions, summary?.nameQuestions ?? []),
      writer,
    );
  if (!dryRun) {
    show('writing', 0);
    const effect = await live.store.write(writer, async (transaction) => {
      // Writes in the journal count, too.
      await transaction.rows('SELECT 1');
      const compared = await compare();
      const told = await tell(compared);
      assertAnswered(told.questions);
      signal.throwIfAborted();
      await write(transaction, compared);
      return told;
    });
    show('computing the numbers', 0);
    await live.generations.settle();
    const priced = await readAmounts(session, totals, 'pulled.source.control_origins');
    return { ...effect, ...tellTotals(priced, writer.seesRates) };
  }
  const compared = await compare();
  const told = await tell(compared);
  const days = await readDays(session);
  if (!preview || !days) return told;
  show('computing the reports', 0);
  try {
    return { ...told, reports: await preview((transaction) => write(transaction, compared), days) };
  } catch (error) {
    // Too many changes to be tried, or too long: the changes themselves are known.
    if (!(error instanceof AppError) || !['limit', 'storage'].includes(error.code)) throw error;
    return { ...told, notes: [...told.notes, `What becomes of the reports isn't known: ${error.message}.`] };
  }
}
