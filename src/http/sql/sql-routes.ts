import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { AppError } from '../../error.ts';
import type { Table } from '../../report/table.ts';
import { type ResultContext, tableOf } from '../../sandbox/result-table.ts';
import type { Sandbox, SqlResult } from '../../sandbox/sandbox.ts';
import { MAX_WAITING, MAX_WAITING_EACH, PROCESSES } from '../../sandbox/sandbox-limits.ts';
import { FORMATS, writeTable } from '../../write/formats.ts';
import { objectFormatter } from '../../write/value-text.ts';
import { chooseOffer } from '../protocol/accept.ts';
import { readerKeyOf } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import { type FairSemaphore, makeFairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';
import { streamAnswer } from '../protocol/stream-answer.ts';
import { readSqlBody } from './sql-body.ts';
import { sqlOperation } from './sql-operations.ts';

/** A sandbox with a semaphore for its processes. */
export interface SharedSandbox {
  readonly sandbox: Sandbox;
  readonly semaphore: FairSemaphore;
}

export function shareSandbox(sandbox: Sandbox, { activeReaderMs: activeMs, retryAfterSeconds }: Limits): SharedSandbox {
  const semaphore = makeFairSemaphore({
    permits: PROCESSES,
    permitsEach: 1,
    queueLength: MAX_WAITING,
    queueLengthEach: MAX_WAITING_EACH,
    activeMs,
    retryAfterSeconds,
  });
  return { sandbox, semaphore };
}

export interface SqlParts {
  /** Options of routes that need the scope `sql`. */
  readonly guard: RouteShorthandOptions;
  /** Returns the sandbox of the file that a reader may see: with rates, or the copy without. */
  readonly sandboxOf: (request: FastifyRequest) => SharedSandbox;
  readonly company: () => ResultContext['company'];
  readonly limits: Limits;
  readonly now: () => Date;
}

/** Answers computed or sent at once; each is in memory until its client has read it. Unit: answers. */
const MAX_OPEN_ANSWERS = 24;

/** Answers computed or sent at once for one reader. Unit: answers. */
const MAX_OPEN_ANSWERS_EACH = 18;

/** The delay that Retry-After gives a refused client. Unit: s. */
const RETRY_AFTER_SECONDS = 2;

/** Adds POST /v3/sql. */
export function registerSql(app: FastifyInstance, { guard, sandboxOf, company, limits, now }: SqlParts): void {
  const answers = new Map<string, number>();
  let openAnswers = 0;
  const operations = { '/v3/sql': { post: sqlOperation } };
  app.post('/v3/sql', { ...guard, config: { operations } }, async (request, reply) => {
    const { mediaType, write } = chooseFormat(request.headers.accept);
    const body = readSqlBody(request.body);
    const reader = readerKeyOf(request);
    const own = answers.get(reader) ?? 0;
    if (openAnswers >= MAX_OPEN_ANSWERS) throw busyError(`${openAnswers} statements are being answered`);
    if (own >= MAX_OPEN_ANSWERS_EACH) throw busyError(`${own} statements of the same reader are being answered`);
    openAnswers += 1;
    answers.set(reader, own + 1);
    const gone = new AbortController();
    reply.raw.once('close', () => {
      openAnswers -= 1;
      const left = (answers.get(reader) ?? 1) - 1;
      if (left > 0) answers.set(reader, left);
      else answers.delete(reader);
      // Fastify's own signal may abort when the body is read, or not when the client disconnects.
      gone.abort(new Error('The client has gone'));
    });
    const { sandbox, semaphore } = sandboxOf(request);
    const turn = async () => {
      const release = await semaphore.acquire(reader, gone.signal);
      return ask(sandbox, { ...body, signal: gone.signal }).finally(release);
    };
    const answer = await turn().catch((error: unknown) => {
      if (!gone.signal.aborted) throw error;
    });
    if (!answer) return reply.hijack();
    const table = tableOf(answer, { ...body, company: company(), now: now() });
    reply.headers({
      'cache-control': 'no-store',
      'content-type': mediaType,
      'x-data-version': answer.dataVersion,
      'x-truncated': String(answer.isTruncated),
    });
    const pieces = write(table, answer)[Symbol.asyncIterator]();
    return streamAnswer(request, reply, { pieces, first: await pieces.next() }, limits);
  });
}

/** A format of SQL answers, with its writer. */
interface AnswerFormat {
  readonly mediaType: string;
  readonly write: (table: Table, answer: SqlResult) => AsyncIterable<string | Uint8Array>;
}

const ANSWER_FORMATS: readonly AnswerFormat[] = [
  { mediaType: 'application/json; charset=utf-8', write: writeAnswer },
  { mediaType: FORMATS.csv.mediaType, write: (table) => writeTable('csv', table) },
  { mediaType: FORMATS.ndjson.mediaType, write: (table) => writeTable('ndjson', table) },
];

/** @throws an error of status 406 when a client accepts none. */
function chooseFormat(accept: string | undefined): AnswerFormat {
  const chosen = chooseOffer(accept, ANSWER_FORMATS);
  if (chosen) return chosen;
  const known = ANSWER_FORMATS.map(({ mediaType }) => mediaType.split(';')[0]).join(', ');
  throw httpError(406, `None of what Accept names can be answered. The formats are ${known}`);
}

/** Writes the columns, the rows as objects with full decimals, the truncation flag and the data version. */
async function* writeAnswer(table: Table, { columns, isTruncated, dataVersion }: SqlResult): AsyncIterable<string> {
  yield `{"columns":${JSON.stringify(columns)},"rows":[`;
  const format = objectFormatter(table.columns, table.meta);
  let separator = '\n';
  for await (const rows of table.rows) {
    yield separator + rows.map(format).join(',\n');
    separator = ',\n';
  }
  yield `\n],"truncated":${isTruncated},"data_version":${JSON.stringify(dataVersion)}}\n`;
}

async function ask(sandbox: Sandbox, query: Parameters<Sandbox['query']>[0]): Promise<SqlResult> {
  try {
    return await sandbox.query(query);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint, fields } = error;
    if (code === 'busy') throw busyError(message);
    if (fields.length > 0) throw error;
    // Any error without a field concerns the statement.
    throw new AppError(code, message, {
      fields: [{ field: 'sql', message }],
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}

/** Makes an error of status 503, because a full sandbox is free again in a moment. */
function busyError(message: string): Error {
  return httpError(503, `${message}. Try again in a moment`, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
