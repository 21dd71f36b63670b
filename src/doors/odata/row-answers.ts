import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Value } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { dataVersionOfCursor } from '../../numbers/report/request/number.ts';
import { answerInTurn } from '../http/protocol/answer-in-turn.ts';
import { httpError } from '../http/protocol/errors.ts';
import type { SelectRunner, ServerParts } from '../http/protocol/server-parts.ts';
import { streamAnswer } from '../http/protocol/stream-answer.ts';
import { openResult } from './function-rows.ts';
import { keyCondition } from './key.ts';
import { assertText, chooseForm, mediaTypeOf, parsePageSize } from './odata-headers.ts';
import { nextLink, rootUrl } from './odata-links.ts';
import { countSql, MAX_PAGE_ROWS, planPage } from './page-plan.ts';
import { assertCurrent } from './page-start.ts';
import { type ReportFunction, readArguments } from './report-functions.ts';
import type { ResourcePath } from './resource-path.ts';
import { parseRowQuery, type RowQuery, type UrlOptions } from './row-query.ts';
import type { RowSource } from './row-source.ts';
import { formatEntity, type RowsContext, writeRows } from './rows-json.ts';

export type RowsPath = Extract<ResourcePath, { kind: 'rows' }>;

interface RowRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly path: RowsPath;
  readonly options: UrlOptions;
}

/** Rows read by a statement, with the version of their data, and `hold`, which keeps it for the next page; undefined if the client disconnected. */
type RowReader = (
  sql: string,
  maxRows: number,
) => Promise<{ rows: readonly (readonly Value[])[]; version: string; hold?: (() => void) | undefined } | undefined>;

/** Answers a request for the rows of a mart: all, one by its key, or their number. */
export function answerSet(
  parts: ServerParts,
  asked: RowRequest,
  source: RowSource,
  select: SelectRunner,
): Promise<FastifyReply> {
  const { request, reply } = asked;
  const read: RowReader = async (sql, maxRows) => {
    const result = await select(request, reply, { sql, maxRows }).catch(adviseLess);
    if (!result) return undefined;
    reply.header('x-data-version', result.dataVersion);
    return { rows: result.rows, version: result.dataVersion };
  };
  return answerRows(parts, asked, source, read);
}

/** Answers a call of a report's function: its rows, or their number. */
export async function answerFunction(
  parts: ServerParts,
  asked: RowRequest,
  called: ReportFunction,
): Promise<FastifyReply> {
  const { request, reply, path } = asked;
  if (path.given === undefined)
    throw httpError(400, `${called.name} is a function: call it as ${called.name}(NAME=VALUE,...)`);
  const version = dataVersionOfCursor(asked.options.get('$skiptoken') ?? '');
  const call = { called, sent: readArguments(called, path.given), version };
  const answered = await answerInTurn(request, reply, parts.limits.handlerTimeoutMs, async (turn, begin) => {
    const { source, read, dataVersion, ...result } = await openResult(turn, parts, call);
    reply.header('x-data-version', dataVersion);
    const shown = { ...asked, path: { ...path, given: undefined } };
    return answerRows(parts, shown, source, async (sql) => {
      const rows = await read(sql);
      begin();
      return { rows, version: result.version, hold: result.hold };
    });
  });
  return answered ?? reply.hijack();
}

async function answerRows(
  parts: ServerParts,
  asked: RowRequest,
  source: RowSource,
  read: RowReader,
): Promise<FastifyReply> {
  const { request, reply, path, options } = asked;
  const { headers } = request;
  const query = parseRowQuery(options, source);
  if (path.isCount) {
    assertText(headers.accept);
    return answerCount(reply, source, query, read);
  }
  const form = chooseForm(headers.accept, options.get('$format'));
  const context = { source, query: chosen(query, source), form, root: rootUrl(headers) };
  reply.headers({ 'cache-control': 'no-store', 'content-type': mediaTypeOf(form) });
  if (path.given) return answerEntity(reply, context, { ...query, filter: keyCondition(source, path.given) }, read);
  const preferred = parsePageSize(headers.prefer);
  const plan = planPage(source, query, preferred);
  const found = await read(plan.sql, plan.statementRows);
  if (!found) return reply.hijack();
  assertCurrent(query.start, found.version);
  if (preferred !== undefined)
    reply.header('preference-applied', `odata.maxpagesize=${Math.min(preferred, MAX_PAGE_ROWS)}`);
  const page = plan.read(found.rows, found.version);
  if (page.next !== undefined) found.hold?.();
  const pieces = writeRows(context, page, page.next && nextLink(request, context.root, page.next))[
    Symbol.asyncIterator
  ]();
  return streamAnswer(request, reply, { pieces, first: await pieces.next() }, parts.limits);
}

async function answerCount(
  reply: FastifyReply,
  source: RowSource,
  query: RowQuery,
  read: RowReader,
): Promise<FastifyReply> {
  const found = await read(countSql(source, query), 1);
  if (!found) return reply.hijack();
  return reply
    .header('cache-control', 'no-store')
    .type('text/plain;charset=utf-8')
    .send(String(found.rows[0]?.[0] ?? 0));
}

async function answerEntity(
  reply: FastifyReply,
  context: RowsContext,
  query: RowQuery,
  read: RowReader,
): Promise<FastifyReply> {
  const plan = planPage(context.source, query, 1);
  const found = await read(plan.sql, plan.statementRows);
  if (!found) return reply.hijack();
  const page = plan.read(found.rows, found.version);
  if (page.rows.length === 0) throw httpError(404, `${context.source.name} has no row with that key`);
  return reply.send(formatEntity(context, page));
}

/** Marks the properties as chosen where the parameters of a function left some out. */
function chosen({ select, isSelected }: RowQuery, source: RowSource): RowsContext['query'] {
  return { select, isSelected: isSelected || source.key.length === 0 };
}

/** @throws the error of a statement, in the words of OData. */
function adviseLess(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'limit') throw error;
  throw new AppError(error.code, error.message, {
    hint: 'Ask for less: fewer properties with $select, fewer rows with $filter or $top, or smaller pages with Prefer: odata.maxpagesize.',
    cause: error,
  });
}
