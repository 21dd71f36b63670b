import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalogue, Report } from '../report/catalogue.ts';
import { parametersOf } from '../report/parameters.ts';
import { runReport } from '../report/run.ts';
import { ANSWER_FORMATS } from './answers.ts';
import { requires } from './auth.ts';
import { columnsOf } from './columns.ts';
import type { Gate } from './gate.ts';
import type { Generations, Lease } from './generations.ts';
import type { Limits } from './limits.ts';
import { makeMemory } from './memory.ts';
import { pagingHeaders } from './paging.ts';
import { isSame, makeEtag, type Question, readQuestion } from './query.ts';
import { beginTable, sendPieces } from './sending.ts';

/** What the routes of reports work with. */
export interface ReportParts {
  readonly catalogue: Catalogue;
  readonly definitions: string;
  readonly generations: Generations;
  /** Where reports that are computed stand, and where answers that are computed or sent. */
  readonly running: Gate;
  readonly open: Gate;
  readonly limits: Limits;
  readonly now: () => Date;
}

/** A client may keep an answer if it asks each time whether it still stands. */
const CACHING = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization' };

/** Adds the list of reports, and the reports. */
export function registerReports(app: FastifyInstance, parts: ReportParts): void {
  const list = `${JSON.stringify({ reports: [...parts.catalogue.reports.values()].map((report) => describeReport(parts.catalogue, report)) })}\n`;
  const listEtag = makeEtag([parts.definitions, list]);
  app.get('/v3/reports', requires('reports'), async (request, reply) => {
    reply.headers({ ...CACHING, etag: listEtag });
    if (isSame(request.headers['if-none-match'], listEtag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(list);
  });
  const memory = makeMemory<Question>(parts.limits.rememberedQueries);
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/v3/reports/:name',
    exposeHeadRoute: false,
    ...requires('reports'),
    async handler(request, reply) {
      const now = parts.now();
      const lease = parts.generations.acquire();
      try {
        const question = understand(request, lease, parts, memory, now);
        reply.headers({ ...CACHING, etag: question.etag });
        if (isSame(request.headers['if-none-match'], question.etag)) return reply.code(304).send();
        await answerReport(request, reply, question, lease, parts, now);
        return reply;
      } finally {
        lease.release();
      }
    },
  });
}

/** What a request asks for. Read once for each text of it, as long as the data, the day and the scope are the same. */
function understand(
  request: FastifyRequest<{ Params: { name: string } }>,
  { generation }: Lease,
  { catalogue, definitions }: ReportParts,
  memory: ReturnType<typeof makeMemory<Question>>,
  now: Date,
): Question {
  const { accept } = request.headers;
  const { dataVersion } = generation.company;
  const today = generation.today(now);
  const seesRates = hasRates(request);
  const key = `${dataVersion} ${today} ${seesRates} ${request.url} ${accept}`;
  const known = memory.recall(key);
  if (known) return known;
  const [, query = ''] = request.url.split(/\?(.*)/s);
  const ground = { catalogue, definitions, dataVersion, today, seesRates };
  const question = readQuestion(request.params.name, query, accept, ground);
  memory.remember(key, question);
  return question;
}

async function answerReport(
  request: FastifyRequest,
  reply: FastifyReply,
  question: Question,
  { generation }: Lease,
  { catalogue, running, open, limits }: ReportParts,
  now: Date,
): Promise<void> {
  const { report, format, sent, decimals, etag } = question;
  const seesRates = hasRates(request);
  const leave = await open.enter(request.signal);
  try {
    const finish = await running.enter(request.signal);
    const reading = runReport(generation.database(seesRates), catalogue, report.name, sent, { now, seesRates });
    const table = await reading.finally(finish);
    const begun = await beginTable(table, limits);
    try {
      const pieces = format.write(begun.table, { decimals })[Symbol.asyncIterator]();
      const first = await pieces.next();
      // Since then the client may have gone, or been told that it took too long.
      if (reply.sent || request.signal.aborted) return;
      reply.headers({
        ...pagingHeaders(question, table.meta),
        'content-type': format.mediaType,
        'x-data-version': table.meta.data_version,
        ...(format.isFile
          ? { 'content-disposition': `attachment; filename="${fileName(table.meta.parameters, question)}"` }
          : {}),
        etag,
      });
      reply.hijack();
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      if (request.method === 'HEAD') reply.raw.end();
      else await sendPieces(reply.raw, pieces, first, limits);
    } finally {
      await begun.close();
    }
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    // The answer has begun, so all that can be said is that it doesn't end as it should.
    request.log.error({ err: error }, 'the answer broke off');
    reply.raw.destroy();
  } finally {
    leave();
  }
}

function hasRates({ reader }: FastifyRequest): boolean {
  return reader?.scopes.has('rates') ?? false;
}

function fileName({ start_date, end_date }: Readonly<Record<string, string>>, { report, format }: Question): string {
  return `${report.name}_${start_date}_${end_date}.${format.name}`;
}

/** A report as the list has it. */
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

/** Whether a report can't be asked for without a parameter. */
export function isRequired(report: Report, parameter: string): boolean {
  return ['start_date', 'end_date'].includes(parameter) || (parameter === 'group_by' && !report.rows);
}
