import { setImmediate } from 'node:timers/promises';
import { type Database, readUntil } from '../../database/database.ts';
import type { Generation, Lease } from '../../live/generations.ts';
import type { Catalogue } from '../../report/catalogue.ts';
import { type ReportOptions, runReport } from '../../report/run.ts';
import type { Meta } from '../../report/table.ts';
import { readWorkbook } from '../../report/workbook.ts';
import { writeXlsx } from '../../write/xlsx/write.ts';
import type { FairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';
import type { AnswerBody, Piece } from '../protocol/stream-answer.ts';
import type { Question } from './query.ts';

/** An answer whose first piece is there, so that what can go wrong before it has gone wrong. */
export interface Answer extends AnswerBody {
  /** What was read. */
  readonly generation: Generation;
  readonly meta: Meta;
  /** Must be called: ends the reading, wherever it is, and gives back what was taken for it. */
  close(): Promise<void>;
}

/** What answers are computed with. */
export interface AnswerParts {
  readonly catalogue: Catalogue;
  /** Where reports that are computed stand, and where answers that are computed or sent. */
  readonly running: FairSemaphore;
  readonly open: FairSemaphore;
  /** Where workbooks that are written stand: each has a thread of its own. */
  readonly workbooks: FairSemaphore;
  readonly limits: Limits;
}

/**
 * Waits for its turn, runs a report and begins to write it.
 * @param lease The generation that is read, opened when its turn has come; it is given back when the answer is closed, or fails.
 * @param signal Says that nobody wants the answer any more: what runs for it on the database ends, and who waits for it is told the reason.
 */
export async function beginAnswer(
  { catalogue, running, open, workbooks, limits }: AnswerParts,
  question: Question,
  lease: Lease,
  { now, seesRates, reader }: { now: Date; seesRates: boolean; reader: string },
  signal: AbortSignal,
): Promise<Answer> {
  const closers: (() => unknown)[] = [lease.release];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    closers.push(await open.acquire(reader, signal));
    if (!question.format.write) closers.push(await workbooks.acquire(reader, signal));
    const finish = await running.acquire(reader, signal);
    const reading = { now, seesRates, maxRows: limits.maxRows };
    const readLease = async () => {
      const generation = await lease.open(signal);
      const database = readUntil(signal, generation.database(seesRates));
      const { company } = generation;
      return { generation, ...(await read(database, catalogue, question, { ...reading, company }, limits)) };
    };
    const { generation, meta, bytes } = await readLease().finally(finish);
    const pieces = bytes[Symbol.asyncIterator]();
    closers.push(() => pieces.return?.());
    return { generation, meta, pieces, first: await pieces.next(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function read(
  database: Database,
  catalogue: Catalogue,
  { report, format, sent, decimals }: Question,
  reading: ReportOptions,
  { rowsAtOnce }: Limits,
): Promise<{ meta: Meta; bytes: AsyncIterable<Piece> }> {
  if (!format.write) {
    const workbook = await readWorkbook(database, catalogue, report.name, sent, reading);
    return { meta: workbook.cover.meta, bytes: writeXlsx(workbook) };
  }
  const table = await runReport(database, catalogue, report.name, sent, { ...reading, hasAliases: format.hasAliases });
  return { meta: table.meta, bytes: format.write({ ...table, rows: inPieces(table.rows, rowsAtOnce) }, { decimals }) };
}

/** Rows in small pieces, between which others get their turn. */
async function* inPieces<Row>(
  chunks: AsyncIterable<readonly Row[]>,
  rowsAtOnce: number,
): AsyncIterable<readonly Row[]> {
  for await (const rows of chunks) {
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      yield rows.slice(start, start + rowsAtOnce);
      await setImmediate();
    }
  }
}
