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

/** An answer with its first piece computed, so that errors before it can still be reported. */
export interface Answer extends AnswerBody {
  readonly generation: Generation;
  readonly meta: Meta;
  /** Must be called: stops reading at any point, and releases the permits and the lease. */
  close(): Promise<void>;
}

export interface AnswerParts {
  readonly catalogue: Catalogue;
  /** Semaphores of reports being computed, and of answers computed or sent. */
  readonly running: FairSemaphore;
  readonly open: FairSemaphore;
  /** Semaphore of workbooks being written, each in its own thread. */
  readonly workbooks: FairSemaphore;
  readonly limits: Limits;
}

/**
 * Waits for a permit, runs a report and begins to write it.
 * @param lease The generation to read, opened with the permit; released when the answer is closed or fails.
 * @param signal Aborted when the answer is no longer wanted: ends its queries, and rejects with the reason.
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

/** Splits rows into small pieces, and yields to other requests between them. */
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
