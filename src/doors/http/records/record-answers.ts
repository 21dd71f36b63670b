import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../../../store/live/index.ts';
import {
  createRecords,
  deleteRecord,
  describeRows,
  findReplay,
  parseListQuery,
  parseView,
  type RecordNode,
  type Row,
  readPage,
  readRecord,
  type ServedResource,
  sentOf,
  type Transaction,
  unknownFields,
  updateRecord,
  type View,
  type Writer,
} from '../../../store/record/index.ts';
import { hasRates } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import { FORM, spreadLists } from '../protocol/form-body.ts';
import { pageHeaders, pageLinks } from '../protocol/headers.ts';
import { reportIgnored } from '../protocol/ignored.ts';
import { answerNode } from '../protocol/nodes.ts';
import { readIdempotency } from './idempotency.ts';
import { refuseOutside } from './part-entries.ts';
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

export async function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: RecordParts,
  resource: ServedResource,
): Promise<FastifyReply> {
  const seesRates = hasRates(request);
  const query = parseListQuery(resource, sentOf(request), seesRates);
  reportIgnored(request, reply, { parameters: query.ignored, fields: [] });
  const { records, total } = await parts.source.read(resource, readsModels(resource, query), (reader, there) =>
    readPage(reader, there, parseListQuery(there, sentOf(request), seesRates), seesRates),
  );
  const { page, perPage } = query;
  reply.headers({ ...pageHeaders(page, perPage, total), link: pageLinks(request.url, page, perPage, total) });
  if (records.length === 0 && resource.hasNoEmptyList) return reply.code(204).send();
  return answerNode(request, reply, records);
}

export async function answerRecord(
  request: RecordRequest,
  reply: FastifyReply,
  parts: RecordParts,
  resource: ServedResource,
): Promise<FastifyReply> {
  const seesRates = hasRates(request);
  const view = readView(request, reply, resource);
  const record = await parts.source.read(resource, readsModels(resource, view), (reader, there) =>
    readRecord(reader, there, request.params.id, view, seesRates),
  );
  return answerNode(request, reply, record);
}

export async function answerCreate(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: WriteParts,
  resource: ServedResource,
  path: string,
): Promise<FastifyReply> {
  const view = readView(request, reply, resource);
  const idempotency = readIdempotency(request, resource);
  const writer = { ...writerOf(request), idempotency };
  const { rows, records } = await writeRecords(parts, resource, writer, view, async (transaction) => {
    const { part } = request.reader ?? {};
    if (part) await refuseOutside(transaction, part, request.body);
    const replayed = idempotency && (await findReplay(transaction, resource, idempotency));
    return replayed ?? createRecords(transaction, resource, bodyOf(request, resource));
  });
  const [record] = records;
  reply.code(201).header('location', `${path}/${rows[0]?.[resource.id]}`);
  return answerNode(request, reply, records.length === 1 && record ? record : records);
}

export async function answerUpdate(
  request: RecordRequest,
  reply: FastifyReply,
  parts: WriteParts,
  resource: ServedResource,
): Promise<FastifyReply> {
  const view = readView(request, reply, resource);
  const { records } = await writeRecords(parts, resource, writerOf(request), view, async (transaction) => {
    const row = await updateRecord(transaction, resource, request.params.id, bodyOf(request, resource));
    return row ? [row] : [];
  });
  const [record] = records;
  return record ? answerNode(request, reply, record) : reply.code(204).send();
}

export async function answerDelete(
  request: RecordRequest,
  reply: FastifyReply,
  { store }: WriteParts,
  resource: ServedResource,
): Promise<FastifyReply> {
  readView(request, reply, resource);
  await store.write(writerOf(request), (transaction) => deleteRecord(transaction, resource, request.params.id));
  return reply.code(204).send();
}

/** Parses the view of an answer with one record, and reports the ignored names of the request. */
function readView(request: FastifyRequest, reply: FastifyReply, resource: ServedResource): View {
  const view = parseView(resource, sentOf(request), hasRates(request));
  reportIgnored(request, reply, { parameters: view.ignored, fields: unknownFields(resource, request.body) });
  return view;
}

/**
 * Writes records and describes them in the same transaction.
 * An answer that reads the models is described once these show the write.
 */
async function writeRecords(
  { store, source }: WriteParts,
  resource: ServedResource,
  writer: Writer,
  view: View,
  work: (transaction: Transaction) => Promise<Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly records: readonly RecordNode[] }> {
  const { seesRates } = writer;
  const { rows, records } = await store.write(writer, async (transaction) => {
    const written = await work(transaction);
    if (readsModels(resource, view)) return { rows: written, records: undefined };
    return { rows: written, records: await describeRows(transaction, resource, written, view, seesRates) };
  });
  if (records) return { rows, records };
  const shown = await source.read(resource, true, (reader) => describeRows(reader, resource, rows, view, seesRates));
  return { rows, records: shown };
}

/** @throws an error of status 405 when records are read-only. */
export function storeOf(parts: RecordParts): WriteParts {
  const { store } = parts;
  if (store) return { ...parts, store };
  throw httpError(
    405,
    'Records can only be read here: change them at their source, or start the server with serve --write',
    {
      allow: 'GET, HEAD',
    },
  );
}

function readsModels({ rules }: ServedResource, { fields, expand }: View): boolean {
  return rules.needsModels?.some((name) => expand.includes(name) || fields?.includes(name)) ?? false;
}

function bodyOf({ headers, body }: FastifyRequest, resource: ServedResource): unknown {
  return headers['content-type']?.toLowerCase().startsWith(FORM) ? spreadLists(resource, body) : body;
}

function writerOf(request: FastifyRequest): Writer {
  const { id = '', label = '' } = request.reader ?? {};
  return { id, label, seesRates: hasRates(request) };
}
