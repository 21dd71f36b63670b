import { setImmediate } from 'node:timers/promises';
import { readUntil } from '../../database/database.ts';
import type { Lease } from '../../generation/generations.ts';
import type { Catalogues } from '../../report/catalogue/definitions.ts';
import type { Meta } from '../../report/catalogue/table.ts';
import { runTold } from '../../report/insights/insights.ts';
import type { ReportContext } from '../../report/run/run.ts';
import { readWorkbook } from '../../report/workbook/workbook.ts';
import { writeXlsx } from '../../write/xlsx/write.ts';
import type { Piece } from '../protocol/content-coding.ts';
import type { FairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';
import type { AnswerBody } from '../protocol/stream-answer.ts';
import type { AnswerFormat } from './answer-formats.ts';
import type { AnswerQuery, AnswerQueryParser, ReportRequest } from './answer-query.ts';

/** An answer with its first piece computed, so that errors before it can still be reported. */
export interface Answer extends AnswerBody {
  readonly query: AnswerQuery;
  readonly meta: Meta;
  /** Must be called: stops reading at any point, and releases the permits and the lease. */
  close(): Promise<void>;
}

export interface AnswerParts {
  readonly catalogues: Catalogues;
  readonly parseQuery: AnswerQueryParser;
  /** Semaphores of reports being computed, and of answers computed or sent. */
  readonly running: FairSemaphore;
  readonly open: FairSemaphore;
  /** Semaphore of workbooks being written, each in its own thread. */
  readonly workbooks: FairSemaphore;
  readonly limits: Limits;
}

/**
 * Waits for a permit, runs a report and begins to write it.
 * @param format The form of the answer to the request.
 * @param lease The generation to read, opened with the permit; released when the answer is closed or fails.
 * @param signal Aborted when the answer is no longer wanted: ends its queries, and rejects with the reason.
 */
export async function beginAnswer(
  parts: AnswerParts,
  request: ReportRequest,
  format: AnswerFormat,
  lease: Lease,
  signal: AbortSignal,
): Promise<Answer> {
  const { running, open, workbooks, limits } = parts;
  const { reader, seesRates, now } = request;
  const closers: (() => unknown)[] = [lease.release];
  const close = async () => {
    for (const step of closers.splice(0).reverse()) await step();
  };
  try {
    closers.push(await open.acquire(reader, signal));
    if (!format.write) closers.push(await workbooks.acquire(reader, signal));
    const finish = await running.acquire(reader, signal);
    const readLease = async () => {
      const generation = await lease.open(signal);
      const database = readUntil(signal, generation.database(seesRates));
      const query = parts.parseQuery(request, generation);
      const context = { database, company: generation.company, now, maxRows: limits.maxRows };
      return { query, ...(await read(context, query, parts)) };
    };
    const { query, meta, bytes } = await readLease().finally(finish);
    const pieces = bytes[Symbol.asyncIterator]();
    closers.push(() => pieces.return?.());
    return { query, meta, pieces, first: await pieces.next(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function read(
  context: ReportContext,
  query: AnswerQuery,
  { catalogues, limits: { rowsAtOnce } }: AnswerParts,
): Promise<{ meta: Meta; bytes: AsyncIterable<Piece> }> {
  const { format, decimals, metaStyle } = query;
  if (!format.write) {
    const workbook = await readWorkbook(context, query.report, catalogues.full);
    return { meta: workbook.cover.meta, bytes: writeXlsx(workbook) };
  }
  const table = await runTold(context, query.report);
  return {
    meta: table.meta,
    bytes: format.write({ ...table, rows: inPieces(table.rows, rowsAtOnce) }, { decimals, meta: metaStyle }),
  };
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
