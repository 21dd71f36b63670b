import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, readUntil } from '../database.ts';
import type { Catalogue } from '../report/catalogue.ts';
import { type Reading, runReport } from '../report/run.ts';
import type { Meta } from '../report/table.ts';
import { readWorkbook } from '../report/workbook.ts';
import { writeXlsx } from '../write/xlsx/write.ts';
import type { Gate } from './gate.ts';
import type { Generation, Lease } from './generations.ts';
import type { Limits } from './limits.ts';
import type { Question } from './query.ts';

type Piece = string | Uint8Array;

/** An answer whose first piece is there, so that what can go wrong before it has gone wrong. */
export interface Answer {
  /** What was read. */
  readonly generation: Generation;
  readonly meta: Meta;
  readonly pieces: AsyncIterator<Piece>;
  readonly first: IteratorResult<Piece>;
  /** Must be called: ends the reading, wherever it is, and gives back what was taken for it. */
  close(): Promise<void>;
}

/** What answers are computed with. */
export interface AnswerParts {
  readonly catalogue: Catalogue;
  /** Where reports that are computed stand, and where answers that are computed or sent. */
  readonly running: Gate;
  readonly open: Gate;
  /** Where workbooks that are written stand: each has a thread of its own. */
  readonly workbooks: Gate;
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
    closers.push(await open.enter(reader, signal));
    if (!question.format.write) closers.push(await workbooks.enter(reader, signal));
    const finish = await running.enter(reader, signal);
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
  reading: Reading,
  { rowsAtOnce }: Limits,
): Promise<{ meta: Meta; bytes: AsyncIterable<Piece> }> {
  if (!format.write) {
    const workbook = await readWorkbook(database, catalogue, report.name, sent, reading);
    return { meta: workbook.cover.meta, bytes: writeXlsx(workbook) };
  }
  const table = await runReport(database, catalogue, report.name, sent, { ...reading, hasAliases: format.hasAliases });
  return { meta: table.meta, bytes: format.write({ ...table, rows: inPieces(table.rows, rowsAtOnce) }, { decimals }) };
}

/**
 * Answers 200 with the reply's headers and the pieces of an answer. What fails from here on can't be said any more: the answer then doesn't end as it
 * should.
 */
export async function streamAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Pick<Answer, 'pieces' | 'first'>,
  limits: Limits,
): Promise<FastifyReply> {
  const { raw } = reply.hijack();
  try {
    raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    if (request.method === 'HEAD') raw.end();
    else await sendAnswer(raw, answer, limits);
  } catch (error) {
    // A client that has gone ends it, too.
    if (!raw.destroyed) request.log.error({ request: request.id, err: error }, 'the answer broke off');
    raw.destroy();
  }
  return reply;
}

/** Sends an answer as fast as its client reads it. One that has gone, or reads nothing for too long, ends the sending. */
export async function sendAnswer(
  response: ServerResponse,
  { pieces, first }: Pick<Answer, 'pieces' | 'first'>,
  { stallTimeoutMs }: Limits,
): Promise<void> {
  for (let piece = first; !piece.done; piece = await pieces.next()) {
    if (response.destroyed) return;
    if (!response.write(piece.value) && !(await isDrained(response, stallTimeoutMs))) {
      response.destroy();
      return;
    }
  }
  response.end();
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

/** Waits until the client has read what it was sent; false when it has gone or takes too long. */
function isDrained(response: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      response.off('drain', drained).off('close', closed);
      resolve(isDone);
    };
    const drained = () => end(true);
    const closed = () => end(false);
    const timer = setTimeout(closed, timeoutMs);
    response.on('drain', drained).on('close', closed);
  });
}
