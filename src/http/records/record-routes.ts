import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../../live/store.ts';
import { kinds } from '../../record/kinds.ts';
import { parseListQuery } from '../../record/list.ts';
import type { RecordNode, Row } from '../../record/node.ts';
import { describeRows, readPage, readRecord } from '../../record/read.ts';
import { createRecords, deleteRecord, type Kind, nameOf, updateRecord } from '../../record/records.ts';
import type { Writer } from '../../record/storage/changes.ts';
import { findReplay } from '../../record/storage/replay.ts';
import type { Transaction } from '../../record/storage/transaction.ts';
import { unknownFields } from '../../record/unknown-fields.ts';
import { parseView, type View } from '../../record/view.ts';
import { hasRates, requires } from '../protocol/auth.ts';
import { parseJson, readBodiesAs } from '../protocol/bodies.ts';
import { httpError } from '../protocol/errors.ts';
import { FORM, parseForm, spreadLists } from '../protocol/form-body.ts';
import { reportIgnored } from '../protocol/ignored.ts';
import { answerNode, isAcceptable } from '../protocol/nodes.ts';
import { pageHeaders } from '../protocol/paging.ts';
import { sentOf } from '../protocol/sent.ts';
import type { Scope } from '../protocol/tokens.ts';
import { parseXml } from '../protocol/xml-body.ts';
import { registerDeletions } from './deletion-routes.ts';
import { readIdempotency } from './idempotency.ts';
import {
  describeCreate,
  describeDelete,
  describeId,
  describeList,
  describeRead,
  describeUpdate,
} from './record-operations.ts';
import type { RecordSource } from './record-source.ts';

export interface RecordParts {
  readonly source: RecordSource;
  /** The store of a writable server. Absent: records are read-only. */
  readonly store?: Store | undefined;
}

interface WriteParts extends RecordParts {
  readonly store: Store;
}

type RecordRequest = FastifyRequest<{ Params: { id: string } }>;

/** Parsers of record bodies by media type. */
const BODY_PARSERS = new Map<string, (text: string) => unknown>([
  ['application/json', parseJson],
  ['application/xml', parseXml],
  ['text/xml', parseXml],
  [FORM, parseForm],
]);

/** Adds list, read, create, update and delete of every resource, at paths with hyphens and underscores. */
export async function registerRecords(app: FastifyInstance, parts: RecordParts): Promise<void> {
  await app.register(async (scope) => {
    for (const [mediaType, parse] of BODY_PARSERS) readBodiesAs(scope, mediaType, parse);
    for (const kind of kinds.values()) for (const path of pathsOf(kind)) registerKind(scope, parts, kind, path);
    registerDeletions(scope, parts.store, requiresAcceptable('reports'));
  });
}

/** Returns the paths of a resource: /v3/project-tasks and /v3/project_tasks. */
function pathsOf(kind: Kind): string[] {
  const name = nameOf(kind);
  return [...new Set([`/v3/${name.replaceAll('_', '-')}`, `/v3/${name}`])];
}

function registerKind(app: FastifyInstance, parts: RecordParts, kind: Kind, path: string): void {
  const { methods } = kind.shape;
  const one = `${path}/:id`;
  const reads = requiresAcceptable('reports');
  const writes = requiresAcceptable('write');
  const [first = '', ...others] = pathsOf(kind);
  const describe = (at: string, operations: Readonly<Record<string, unknown>>) =>
    path === first ? { config: { operations: { [`${first}${at}`]: operations } } } : {};
  // On a read-only server, routes that write exist only to refuse requests.
  const describeWrite: typeof describe = (at, operations) => (parts.store ? describe(at, operations) : {});
  app.get(path, { ...reads, ...describe('', { get: describeList(kind, others) }) }, (request, reply) =>
    answerList(request, reply, parts, kind),
  );
  app.get<{ Params: { id: string } }>(
    one,
    { ...reads, ...describe('/{id}', { parameters: [describeId(kind)], get: describeRead(kind) }) },
    (request, reply) => answerRecord(request, reply, parts, kind),
  );
  if (methods.includes('create'))
    app.post(path, { ...writes, ...describeWrite('', { post: describeCreate(kind) }) }, (request, reply) =>
      answerCreate(request, reply, storeOf(parts), kind, path),
    );
  if (methods.includes('update')) {
    app.route<{ Params: { id: string } }>({
      method: ['PATCH', 'PUT'],
      url: one,
      ...writes,
      ...describeWrite('/{id}', { patch: describeUpdate(kind, 'patch'), put: describeUpdate(kind, 'put') }),
      handler: (request, reply) => answerUpdate(request, reply, storeOf(parts), kind),
    });
  }
  if (methods.includes('delete'))
    app.delete<{ Params: { id: string } }>(
      one,
      { ...requires('write'), ...describeWrite('/{id}', { delete: describeDelete(kind) }) },
      (request, reply) => answerDelete(request, reply, storeOf(parts), kind),
    );
}

async function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RecordParts,
  kind: Kind,
): Promise<FastifyReply> {
  const seesRates = hasRates(request);
  const query = parseListQuery(kind, sentOf(request), seesRates);
  reportIgnored(request, reply, { parameters: query.ignored, fields: [] });
  const { records, total } = await parts.source.read(kind, readsModels(kind, query), (reader, there) =>
    readPage(reader, there, parseListQuery(there, sentOf(request), seesRates), seesRates),
  );
  reply.headers(pageHeaders(query.page, query.perPage, total));
  if (records.length === 0 && kind.shape.hasNoEmptyList) return reply.code(204).send();
  return answerNode(request, reply, records);
}

async function answerRecord(
  request: RecordRequest,
  reply: FastifyReply,
  parts: RecordParts,
  kind: Kind,
): Promise<FastifyReply> {
  const seesRates = hasRates(request);
  const view = readView(request, reply, kind);
  const record = await parts.source.read(kind, readsModels(kind, view), (reader, there) =>
    readRecord(reader, there, request.params.id, view, seesRates),
  );
  return answerNode(request, reply, record);
}

async function answerCreate(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: WriteParts,
  kind: Kind,
  path: string,
): Promise<FastifyReply> {
  const view = readView(request, reply, kind);
  const idempotency = readIdempotency(request, kind);
  const writer = { ...writerOf(request), idempotency };
  const { rows, records } = await writeRecords(parts, kind, writer, view, async (transaction) => {
    const replayed = idempotency && (await findReplay(transaction, kind, idempotency));
    return replayed ?? createRecords(transaction, kind, bodyOf(request, kind));
  });
  const [record] = records;
  reply.code(201).header('location', `${path}/${rows[0]?.[kind.shape.id]}`);
  return answerNode(request, reply, records.length === 1 && record ? record : records);
}

async function answerUpdate(
  request: RecordRequest,
  reply: FastifyReply,
  parts: WriteParts,
  kind: Kind,
): Promise<FastifyReply> {
  const view = readView(request, reply, kind);
  const { records } = await writeRecords(parts, kind, writerOf(request), view, async (transaction) => {
    const row = await updateRecord(transaction, kind, request.params.id, bodyOf(request, kind));
    return row ? [row] : [];
  });
  const [record] = records;
  return record ? answerNode(request, reply, record) : reply.code(204).send();
}

async function answerDelete(
  request: RecordRequest,
  reply: FastifyReply,
  { store }: WriteParts,
  kind: Kind,
): Promise<FastifyReply> {
  readView(request, reply, kind);
  await store.write(writerOf(request), (transaction) => deleteRecord(transaction, kind, request.params.id));
  return reply.code(204).send();
}

/** Parses the view of an answer with one record, and reports the ignored names of the request. */
function readView(request: FastifyRequest, reply: FastifyReply, kind: Kind): View {
  const view = parseView(kind, sentOf(request), hasRates(request));
  reportIgnored(request, reply, { parameters: view.ignored, fields: unknownFields(kind, request.body) });
  return view;
}

/**
 * Writes records and describes them in the same transaction.
 * An answer that reads the models is described once these show the write.
 */
async function writeRecords(
  { store, source }: WriteParts,
  kind: Kind,
  writer: Writer,
  view: View,
  work: (transaction: Transaction) => Promise<Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly records: readonly RecordNode[] }> {
  const { seesRates } = writer;
  const { rows, records } = await store.write(writer, async (transaction) => {
    const written = await work(transaction);
    if (readsModels(kind, view)) return { rows: written, records: undefined };
    return { rows: written, records: await describeRows(transaction, kind, written, view, seesRates) };
  });
  if (records) return { rows, records };
  const shown = await source.read(kind, true, (reader) => describeRows(reader, kind, rows, view, seesRates));
  return { rows, records: shown };
}

/** @throws an error of status 405 when records are read-only. */
function storeOf(parts: RecordParts): WriteParts {
  const { store } = parts;
  if (store) return { ...parts, store };
  throw httpError(405, 'Records are only read here. A server that takes changes is started with serve --write', {
    allow: 'GET, HEAD',
  });
}

function readsModels({ rules }: Kind, { fields, expand }: View): boolean {
  return rules.needsModels?.some((name) => expand.includes(name) || fields?.includes(name)) ?? false;
}

/** Returns the options of a route that needs a scope, and an Accept header with a known format. */
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

function bodyOf({ headers, body }: FastifyRequest, { shape }: Kind): unknown {
  return headers['content-type']?.toLowerCase().startsWith(FORM) ? spreadLists(shape, body) : body;
}

function writerOf(request: FastifyRequest): Writer {
  const { id = '', label = '' } = request.reader ?? {};
  return { id, label, seesRates: hasRates(request) };
}
