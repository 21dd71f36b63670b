import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, publicMessageOf } from '../../../base/index.ts';
import { FORMATS, isFormat } from '../../../numbers/write/index.ts';
import {
  assertAsFiled,
  describeOneState,
  findFiledReport,
  findKeptState,
  findReadable,
  listHistory,
  previewClosing,
  readPieces,
  readSince,
  type SinceClosing,
  spellKey,
  withoutAmounts,
} from '../../../store/history/index.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { authorize, hasRates, requires } from '../protocol/auth.ts';
import { CACHING, isSame, makeEtag } from '../protocol/headers.ts';
import { streamAnswer } from '../protocol/stream-answer.ts';
import { registerClosingChanges, takesChanges } from './closing-changes.ts';
import { registerMemo } from './closing-memo.ts';
import { describeClosing, describeClosings, describeFiled, describeReadiness } from './closings-operations.ts';
import { type ClosingParts, openPresent } from './present-data.ts';

/** Adds the list of kept states, one of them, its files, and what is open in a period, for readers of reports. */
export function registerClosings(app: FastifyInstance, parts: ClosingParts): void {
  const { database } = parts.config;
  const guard = requires('reports');
  const list = { config: { operations: { '/v3/closings': { get: describeClosings() } } } };
  app.get('/v3/closings', { ...guard, ...list }, async (request, reply) => {
    const history = { ...(await listHistory(database, hasRates(request))), today: readToday(parts) };
    const etag = makeEtag(history);
    reply.headers({ ...CACHING, etag });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return history;
  });
  const one = { config: { operations: { '/v3/closings/{name}': { get: describeClosing() } } } };
  app.get<{ Params: { name: string } }>('/v3/closings/:name', { ...guard, ...one }, async (request, reply) => {
    const state = await findKeptState(database, request.params.name);
    const closing = hasRates(request) ? describeOneState(state) : withoutAmounts(describeOneState(state));
    if (state.record.start_date === null) return { closing };
    const since = await readSinceInTurn(request, reply, parts, spellKey(state));
    return since ? { closing: { ...closing, ...since } } : reply.hijack();
  });
  registerReadiness(app, parts);
  registerFiles(app, parts);
  registerMemo(app, parts);
  registerClosingChanges(app, parts);
}

/** Returns the company's day, from which readers count back to a state; null before the first data. */
function readToday({ generations, now }: ClosingParts): string | null {
  try {
    return generations.current().today(now());
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage') return null;
    throw error;
  }
}

/**
 * Reads what has come into the period of a closing since, or why that is not known.
 * @returns undefined if the client disconnected.
 */
function readSinceInTurn(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ClosingParts,
  key: string,
): Promise<{ since: SinceClosing | null; since_unknown?: string } | undefined> {
  const { config, limits } = parts;
  return answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn) => {
    const { context, finish } = await openPresent(turn, parts);
    try {
      const closing = await findReadable(config.database, key);
      return { since: await readSince({ ...context, signal: turn.signal }, closing) };
    } catch (error) {
      if (!(error instanceof AppError) || !['input', 'storage'].includes(error.code)) throw error;
      return { since: null, since_unknown: publicMessageOf(error) };
    } finally {
      finish();
    }
  });
}

function registerReadiness(app: FastifyInstance, parts: ClosingParts): void {
  const { config, limits } = parts;
  const operations = { '/v3/closings/readiness': { get: describeReadiness() } };
  app.get<{ Querystring: Record<string, unknown> }>(
    '/v3/closings/readiness',
    { ...requires('reports'), config: { operations } },
    async (request, reply) => {
      const period = readPeriodName(request.query);
      const now = parts.now();
      const found = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn) => {
        const { context, finish } = await openPresent(turn, { ...parts, now: () => now });
        const asked = { period, now, takesChanges: takesChanges(parts), seesRates: hasRates(request) };
        return await previewClosing(config.database, context.whole, asked).finally(finish);
      });
      if (!found) return reply.hijack();
      const { name, startDate, endDate } = found.period;
      const { day, warnings, closed, since, booked } = found;
      const revenue = booked ? { booked_revenue: booked.revenue, catch_up_revenue: booked.catchUp } : {};
      const closing = closed ? { closed: spellKey(closed), closed_kind: closed.record.kind, since } : {};
      const readiness = { name, start_date: startDate, end_date: endDate, day, warnings, ...revenue, ...closing };
      return { readiness: hasRates(request) ? readiness : withoutAmounts(readiness) };
    },
  );
}

function readPeriodName(query: Record<string, unknown>): string {
  const other = Object.keys(query).find((name) => name !== 'period');
  if (other === undefined && typeof query['period'] === 'string' && query['period'] !== '') return query['period'];
  const field = other ?? 'period';
  const message =
    other === undefined ? 'period: give one period, such as 2026-03' : `${other}: there is no such parameter`;
  throw new AppError('usage', message, { fields: [{ field, message }] });
}

function registerFiles(app: FastifyInstance, { config: { database }, limits }: ClosingParts): void {
  const operations = { '/v3/closings/{name}/files/{file}': { get: describeFiled() } };
  app.get<{ Params: { name: string; file: string } }>(
    '/v3/closings/:name/files/:file',
    { ...requires('reports'), config: { operations } },
    async (request, reply) => {
      // A filed report may show costs in any of its parts.
      authorize(request, reply, 'rates');
      const { name, file } = request.params;
      const report = findFiledReport(await findKeptState(database, name), file);
      const etag = `"${report.filed.sha256}"`;
      reply.headers({ ...CACHING, etag });
      if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
      await assertAsFiled(report);
      const format = extname(file).slice(1);
      reply.headers({
        'content-type': isFormat(format) ? FORMATS[format].mediaType : 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
      });
      const pieces = readPieces(report);
      // Closes the file of a client that has left.
      return streamAnswer(request, reply, { pieces, first: await pieces.next() }, limits).finally(() =>
        pieces.return(undefined),
      );
    },
  );
}
