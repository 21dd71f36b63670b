import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Writer } from '../record/changes.ts';
import { kinds } from '../record/kinds.ts';
import { parseListQuery, parseView, type View, WHOLE } from '../record/list.ts';
import { describeRows, readPage, readRecord } from '../record/read.ts';
import { createRecords, deleteRecord, type Kind, updateRecord } from '../record/records.ts';
import { findReplay } from '../record/replay.ts';
import type { Store } from '../record/store.ts';
import { hasRates, requires } from './auth.ts';
import { registerDeletions } from './deletions.ts';
import { httpError } from './errors.ts';
import { readIdempotency } from './idempotency.ts';
import { answerNode, isAcceptable } from './nodes.ts';
import { pageHeaders } from './paging.ts';
import { readSent } from './query.ts';
import type { Scope } from './tokens.ts';

/** What the routes of records work with. */
export interface RecordParts {
  readonly store: Store;
  /** Waits until the models show all that is committed. Absent: they always do. */
  readonly settle?: () => Promise<void> | undefined;
}

type RecordRequest = FastifyRequest<{ Params: { id: string } }>;

/** Adds list, read, create, update and delete of every resource, at its path with hyphens and at that with underscores. */
export function registerRecords(app: FastifyInstance, parts: RecordParts): void {
  for (const kind of kinds.values()) for (const path of pathsOf(kind)) registerKind(app, parts, kind, path);
  registerDeletions(app, parts.store, requiresAcceptable('reports'));
  // There are no statuses of people here, so there is nothing to show.
  app.get('/v3/status', requires('reports'), (_request, reply) => reply.code(204).send());
}

/** The paths of a resource: /v3/project-tasks and /v3/project_tasks. */
export function pathsOf({ shape }: Kind): string[] {
  const { name } = shape.resource;
  return [...new Set([`/v3/${name.replaceAll('_', '-')}`, `/v3/${name}`])];
}

function registerKind(app: FastifyInstance, parts: RecordParts, kind: Kind, path: string): void {
  const { shape } = kind;
  const { store } = parts;
  const one = `${path}/:id`;
  const reads = requiresAcceptable('reports');
  const writes = requiresAcceptable('write');
  app.get(path, reads, (request, reply) => answerList(request, reply, parts, kind));
  app.get<{ Params: { id: string } }>(one, reads, async (request, reply) => {
    const seesRates = hasRates(request);
    const view = parseView(kind, sentOf(request), seesRates);
    await settleFor(kind, view, parts);
    return answerNode(request, reply, await readRecord(store.reader, kind, request.params.id, view, seesRates));
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
    app.delete<{ Params: { id: string } }>(one, requires('write'), async (request, reply) => {
      await store.write(writerOf(request), (transaction) => deleteRecord(transaction, kind, request.params.id));
      return reply.code(204).send();
    });
  }
}

async function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RecordParts,
  kind: Kind,
): Promise<FastifyReply> {
  const seesRates = hasRates(request);
  const query = parseListQuery(kind, sentOf(request), seesRates);
  await settleFor(kind, query, parts);
  const { records, total } = await readPage(parts.store.reader, kind, query, seesRates);
  reply.headers(pageHeaders(query.page, query.perPage, total));
  return answerNode(request, reply, records);
}

async function answerCreate(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  kind: Kind,
  path: string,
): Promise<FastifyReply> {
  const idempotency = readIdempotency(request, kind);
  const writer = { ...writerOf(request), idempotency };
  const ids = await store.write(writer, async (transaction) => {
    const replayed = idempotency && (await findReplay(transaction, kind, idempotency));
    if (replayed) return replayed;
    const rows = await createRecords(transaction, kind, request.body);
    return describeRows(transaction, kind, rows, WHOLE, writer.seesRates);
  });
  const [first] = ids;
  reply.code(201).header('location', `${path}/${first?.[kind.shape.id]}`);
  return answerNode(request, reply, ids.length === 1 && first ? first : ids);
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
  return record?.[0] ? answerNode(request, reply, record[0]) : reply.code(204).send();
}

/** Brings the models up to date, where the answer reads them. */
async function settleFor({ rules }: Kind, { fields, expand }: View, { settle }: RecordParts): Promise<void> {
  const isWanted = rules.needsModels?.some((name) => expand.includes(name) || fields?.includes(name));
  if (isWanted) await settle?.();
}

/** The options of a route that only readers with a scope may ask, and none who accepts no format that there is. */
function requiresAcceptable(scope: Scope) {
  return {
    ...requires(scope),
    preValidation(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
      if (!isAcceptable(request))
        throw httpError(406, 'None of the types of Accept is there. There are application/json and application/xml');
      done();
    },
  };
}

function sentOf(request: FastifyRequest): ReadonlyMap<string, string> {
  const [, query = ''] = request.url.split(/\?(.*)/s);
  return new Map(Object.entries(readSent(query)));
}

function writerOf(request: FastifyRequest): Writer {
  const { id = '', label = '' } = request.reader ?? {};
  return { id, label, seesRates: hasRates(request) };
}
