import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { kinds } from '../record/kinds.ts';
import { parseListQuery, parseView } from '../record/list.ts';
import { formatJson, type Node } from '../record/node.ts';
import { describeRows, readPage, readRecord } from '../record/read.ts';
import { createRecords, deleteRecord, type Kind, updateRecord } from '../record/records.ts';
import { findReplay } from '../record/replay.ts';
import type { Store } from '../record/store.ts';
import type { Writer } from '../record/transaction.ts';
import { requires } from './auth.ts';
import { httpError } from './errors.ts';
import { readIdempotency } from './idempotency.ts';
import { pageHeaders } from './paging.ts';
import { readSent } from './query.ts';
import { formatXml } from './xml.ts';

/** What the routes of records work with. */
export interface RecordParts {
  readonly store: Store;
}

type RecordRequest = FastifyRequest<{ Params: { id: string } }>;

const JSON_TYPE = 'application/json; charset=utf-8';

const XML_TYPE = 'application/xml; charset=utf-8';

/** Adds list, read, create, update and delete of every resource, at its path with hyphens and at that with underscores. */
export function registerRecords(app: FastifyInstance, { store }: RecordParts): void {
  for (const kind of kinds.values()) for (const path of pathsOf(kind)) registerKind(app, store, kind, path);
  // There are no statuses of people here, so there is nothing to show.
  app.get('/v3/status', requires('reports'), (_request, reply) => reply.code(204).send());
}

/** The paths of a resource: /v3/project-tasks and /v3/project_tasks. */
export function pathsOf({ shape }: Kind): string[] {
  const { name } = shape.resource;
  return [...new Set([`/v3/${name.replaceAll('_', '-')}`, `/v3/${name}`])];
}

function registerKind(app: FastifyInstance, store: Store, kind: Kind, path: string): void {
  const { shape } = kind;
  const one = `${path}/:id`;
  const reads = requires('reports');
  const writes = requires('write');
  app.get(path, reads, (request, reply) => answerList(request, reply, store, kind));
  app.get<{ Params: { id: string } }>(one, reads, async (request, reply) => {
    const seesRates = hasRates(request);
    const view = parseView(kind, sentOf(request), seesRates);
    return answer(request, reply, await readRecord(store.reader, kind, request.params.id, view, seesRates));
  });
  if (shape.methods.includes('create'))
    app.post(path, writes, (request, reply) => answerCreate(request, reply, store, kind, path));
  if (shape.methods.includes('update')) {
    app.route<{ Params: { id: string } }>({
      method: ['PATCH', 'PUT'],
      url: one,
      ...writes,
      handler: (request, reply) => answerUpdate(request, reply, store, kind),
    });
  }
  if (shape.methods.includes('delete')) {
    app.delete<{ Params: { id: string } }>(one, writes, async (request, reply) => {
      await store.write(writerOf(request), (transaction) => deleteRecord(transaction, kind, request.params.id));
      return reply.code(204).send();
    });
  }
}

async function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  kind: Kind,
): Promise<FastifyReply> {
  const seesRates = hasRates(request);
  const query = parseListQuery(kind, sentOf(request), seesRates);
  const { records, total } = await readPage(store.reader, kind, query, seesRates);
  reply.headers(pageHeaders(query.page, query.perPage, total));
  return answer(request, reply, records);
}

async function answerCreate(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  kind: Kind,
  path: string,
): Promise<FastifyReply> {
  const idempotency = readIdempotency(request);
  const writer = { ...writerOf(request), idempotency };
  const ids = await store.write(writer, async (transaction) => {
    const replayed = idempotency && (await findReplay(transaction, kind, idempotency));
    if (replayed) return replayed;
    const rows = await createRecords(transaction, kind, request.body);
    return describeRows(transaction, kind, rows, WHOLE, writer.seesRates);
  });
  const [first] = ids;
  reply.code(201).header('location', `${path}/${first?.[kind.shape.id]}`);
  return answer(request, reply, ids.length === 1 && first ? first : ids);
}

async function answerUpdate(
  request: RecordRequest,
  reply: FastifyReply,
  store: Store,
  kind: Kind,
): Promise<FastifyReply> {
  const writer = writerOf(request);
  const record = await store.write(writer, async (transaction) => {
    const row = await updateRecord(transaction, kind, request.params.id, request.body);
    return row && (await describeRows(transaction, kind, [row], WHOLE, writer.seesRates));
  });
  return record?.[0] ? answer(request, reply, record[0]) : reply.code(204).send();
}

/** All fields, and nothing that `expand` would add. */
const WHOLE = { fields: undefined, expand: [] };

function answer(request: FastifyRequest, reply: FastifyReply, node: Node): FastifyReply {
  if (wantsXml(request.headers.accept)) return reply.type(XML_TYPE).send(formatXml(node));
  return reply.type(JSON_TYPE).send(`${formatJson(node)}\n`);
}

/** Whether the first type of Accept that there is, is XML. @throws an error of status 406 when there is none. */
function wantsXml(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return false;
  const types = accept.split(',').map((part) => (part.split(';')[0] ?? '').trim().toLowerCase());
  for (const type of types) {
    if (['application/json', 'application/*', '*/*', 'text/json'].includes(type)) return false;
    if (['application/xml', 'text/xml'].includes(type)) return true;
  }
  throw httpError(406, `None of the types of Accept is there. There are application/json and application/xml`);
}

function sentOf(request: FastifyRequest): ReadonlyMap<string, string> {
  const [, query = ''] = request.url.split(/\?(.*)/s);
  return new Map(Object.entries(readSent(query)));
}

function writerOf(request: FastifyRequest): Writer {
  const { id = '', label = '' } = request.reader ?? {};
  return { id, label, seesRates: hasRates(request) };
}

function hasRates({ reader }: FastifyRequest): boolean {
  return reader?.scopes.has('rates') ?? false;
}
