import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Generation, Generations } from '../../live/generations.ts';
import type { Catalogue, Report } from '../../report/catalogue.ts';
import { parametersOf } from '../../report/parameters.ts';
import { hideRates } from '../../report/rates.ts';
import type { Meta } from '../../report/table.ts';
import { hasRates, readerKeyOf, requires, requiresUncounted } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import { isSame, makeEtag } from '../protocol/etag.ts';
import { CACHING } from '../protocol/headers.ts';
import { streamAnswer } from '../protocol/stream-answer.ts';
import { type AnswerParts, beginAnswer } from './answer.ts';
import { ANSWER_FORMATS } from './answer-formats.ts';
import { columnsOf } from './columns.ts';
import { type Question, readQuestion } from './query.ts';
import { describeReportList, describeReports, isRequired } from './report-operations.ts';
import { pagingHeaders } from './report-paging.ts';
import type { Unchanged } from './unchanged.ts';

export interface ReportParts extends AnswerParts {
  /** Digest of the definitions. */
  readonly definitions: string;
  readonly generations: Generations;
  readonly unchanged: Unchanged;
  readonly now: () => Date;
}

type ReportRequest = FastifyRequest<{ Params: { name: string } }>;

/** Adds the list of reports, and the reports. */
export function registerReports(app: FastifyInstance, parts: ReportParts): void {
  const lists = {
    full: listReports(parts.catalogue, parts.definitions),
    withoutRates: listReports(hideRates(parts.catalogue), parts.definitions),
  };
  const list = { config: { operations: { '/v3/reports': { get: describeReportList() } } } };
  app.get('/v3/reports', { ...requires('reports'), ...list }, async (request, reply) => {
    const { text, etag } = hasRates(request) ? lists.full : lists.withoutRates;
    reply.headers(CACHING).header('etag', etag);
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
  const guard = requiresUncounted('reports');
  const cache = new LRUCache<string, Question>({ max: parts.limits.cachedQueries });
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/v3/reports/:name',
    exposeHeadRoute: false,
    ...guard,
    config: { ...guard.config, operations: describeReports(parts.catalogue) },
    handler: (request, reply) => answerRequest(request, reply, parts, cache),
  });
}

async function answerRequest(
  request: ReportRequest,
  reply: FastifyReply,
  parts: ReportParts,
  cache: LRUCache<string, Question>,
): Promise<FastifyReply> {
  const now = parts.now();
  let [generation, question]: [Generation?, Question?] = [];
  try {
    // Only a generation with every write can tell whether an answer is unchanged.
    if (request.headers['if-none-match']) await parts.generations.settle();
    generation = parts.generations.current();
    question = understand(request, generation, parts, cache, now);
  } catch (error) {
    await request.server.countRequest(request, reply);
    throw error;
  }
  reply.headers(CACHING).header('etag', question.etag);
  if (isSame(request.headers['if-none-match'], question.etag)) {
    const { reader, routeOptions } = request;
    const version = {
      etag: question.etag,
      route: routeOptions.url ?? '',
      reader,
      generation,
      day: generation.today(now),
    };
    parts.unchanged.remember(request.raw, version);
    return reply.code(304).send();
  }
  await request.server.countRequest(request, reply);
  const deadline = openDeadline(reply.raw, parts.limits.handlerTimeoutMs);
  const lease = parts.generations.lease(generation);
  const reading = { now, seesRates: hasRates(request), reader: readerKeyOf(request) };
  const answer = await beginAnswer(parts, question, lease, reading, deadline.signal)
    .catch((error: unknown) => {
      if (reply.raw.destroyed) return undefined;
      throw error;
    })
    .finally(deadline.meet);
  if (!answer) return reply.hijack();
  try {
    const { etag } = understand(request, answer.generation, parts, cache, now);
    reply.headers({ etag, ...answerHeaders(question, answer.meta) });
    return await streamAnswer(request, reply, answer, parts.limits);
  } finally {
    await answer.close();
  }
}

/** Returns a signal aborted when the client disconnects or the answer doesn't begin in time. */
function openDeadline(response: ServerResponse, timeoutMs: number): { signal: AbortSignal; meet(): void } {
  const controller = new AbortController();
  const late = () =>
    controller.abort(
      httpError(503, `The answer took longer than ${timeoutMs / 1000} s to begin. Ask for less at once`),
    );
  const timer = setTimeout(late, timeoutMs);
  response.once('close', () => controller.abort());
  return { signal: controller.signal, meet: () => clearTimeout(timer) };
}

/** Parses a request; cached while the data, the day and the scope are the same. */
function understand(
  request: ReportRequest,
  generation: Generation,
  { catalogue, definitions }: ReportParts,
  cache: LRUCache<string, Question>,
  now: Date,
): Question {
  const { accept } = request.headers;
  const { dataVersion } = generation.company;
  const today = generation.today(now);
  const seesRates = hasRates(request);
  const key = `${dataVersion} ${today} ${seesRates} ${request.url} ${accept}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const [, query = ''] = request.url.split(/\?(.*)/s);
  const ground = { catalogue, definitions, dataVersion, today, seesRates };
  const question = readQuestion(request.params.name, query, accept, ground);
  cache.set(key, question);
  return question;
}

function answerHeaders(question: Question, meta: Meta): Record<string, string> {
  const { format } = question;
  const name = fileName(meta.parameters, question);
  return {
    'content-type': format.mediaType,
    'x-data-version': meta.data_version,
    ...(format.isFile ? { 'content-disposition': `attachment; filename="${name}"` } : {}),
    ...pagingHeaders(question, meta),
  };
}

function fileName({ start_date, end_date }: Readonly<Record<string, string>>, { report, format }: Question): string {
  return `${report.name}_${start_date}_${end_date}.${format.name}`;
}

function listReports(catalogue: Catalogue, definitions: string): { text: string; etag: string } {
  const reports = [...catalogue.reports.values()].map((report) => describeReport(catalogue, report));
  const text = `${JSON.stringify({ reports })}\n`;
  return { text, etag: makeEtag([definitions, text]) };
}

function describeReport(catalogue: Catalogue, report: Report): object {
  return {
    name: report.name,
    label: report.label,
    description: report.description,
    row: report.row,
    path: `/v3/reports/${report.name}`,
    formats: ANSWER_FORMATS.map(({ name }) => name),
    parameters: parametersOf(catalogue, report).map(
      ({ name, type, label, description, values, default: standard, example }) => ({
        name,
        type,
        label,
        description,
        ...(Array.isArray(values) ? { values } : {}),
        ...(standard === undefined ? {} : { default: standard }),
        example,
        required: isRequired(report, name),
      }),
    ),
    columns: columnsOf(catalogue, report).map(({ name, label, unit, description, needsRates, when }) => ({
      name,
      label,
      unit,
      description,
      needs_rates: needsRates,
      ...(when === undefined ? {} : { when }),
    })),
  };
}
