import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createSerialQueue, type SerialQueue } from '../../../base/database/index.ts';
import { describeLoading } from '../../../numbers/report/catalogue/index.ts';
import { type Generation, repeat } from '../../../store/generation/index.ts';
import { followClosings, type HistoryEvent } from '../../../store/history/index.ts';
import { chooseOffer } from '../protocol/accept.ts';
import { type AuthenticatedReader, type CredentialHeaders, readerKeyOf, requires } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import type { Limits } from '../protocol/limits.ts';
import { errors } from '../protocol/operations.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

type EventParts = Pick<ServerParts, 'auth' | 'config' | 'generations' | 'limits'>;

/** A client that is told of each new data version. */
interface EventStream {
  readonly reader: string;
  readonly headers: CredentialHeaders;
  /** Keeps the order of events, before each of which the rights of the reader are found. */
  readonly inTurn: SerialQueue;
  readonly response: ServerResponse;
  /** The moment it was opened, by performance.now(). Unit: ms. */
  readonly openedAt: number;
  /** The last version that the client was told of. */
  version: string | undefined;
}

const MEDIA_TYPE = 'text/event-stream';

/** A comment, which clients pass over: it keeps the connection open, and finds those that are gone. */
const HEARTBEAT = ':\n\n';

/** Adds GET /v3/events: server-sent events, one for each new data version, closing and reopening. Never compressed, which would hold them back. */
export function registerEvents(
  app: FastifyInstance,
  { auth, config: { database }, generations, limits }: EventParts,
): void {
  const streams = new Set<EventStream>();
  let isClosing = false;
  const write = ({ response, openedAt }: EventStream, reader: AuthenticatedReader | undefined, text: string) => {
    // Comments are so short that the system takes them for months from a client that doesn't read.
    const isOld = performance.now() - openedAt >= limits.eventStreamMs;
    if (response.writableEnded || response.destroyed) return;
    if (isOld || !reader?.scopes.has('reports') || reader.part) response.end();
    else if (response.writableNeedDrain) response.destroy();
    else response.write(text);
  };
  const send = (stream: EventStream, text: string) =>
    void stream.inTurn(async () => {
      // A write may have limited the account of a session to a part. A reader who can't be found asks anew, and is told why.
      const reader = await auth.settle(stream.headers, generations).catch(() => undefined);
      write(stream, reader, text);
    });
  const tell = (told: Iterable<EventStream>) => {
    const generation = generations.latest();
    if (!generation) return;
    for (const stream of told) {
      if (stream.version === generation.company.dataVersion) continue;
      stream.version = generation.company.dataVersion;
      send(stream, formatEvent(generation));
    }
  };
  const readClosings = followClosings(database);
  const watch = repeat(async () => {
    tell(streams);
    // A log that can't be read is reported by those who ask for it.
    const closings = await readClosings().catch(() => []);
    for (const text of closings.map(formatClosing)) for (const stream of streams) send(stream, text);
  }, limits.pollMs);
  const heart = setInterval(() => {
    for (const stream of streams) send(stream, HEARTBEAT);
  }, limits.heartbeatMs).unref();
  app.addHook('preClose', async () => {
    isClosing = true;
    clearInterval(heart);
    await watch.close();
    for (const { response } of streams) response.end();
  });
  const config = { operations: { '/v3/events': { get: eventOperation } } };
  app.get('/v3/events', { ...requires('reports'), config }, async (request, reply) => {
    const { accept, authorization, cookie, 'last-event-id': lastEventId } = request.headers;
    if (!chooseOffer(accept, [{ mediaType: MEDIA_TYPE }]))
      throw httpError(406, `None of the types in Accept is available. Events are ${MEDIA_TYPE}`);
    generations.current();
    const reader = readerKeyOf(request);
    const own = [...streams].filter((stream) => stream.reader === reader).length;
    if (isClosing) throw refuse('The server is stopping', limits);
    if (streams.size >= limits.eventStreams) throw refuse(`${streams.size} streams of events are open`, limits);
    if (own >= limits.eventStreamsEach) throw refuse(`The reader has ${own} open streams of events`, limits);
    reply.headers({ 'content-type': MEDIA_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    const { raw: response } = reply.hijack();
    response.writeHead(200, reply.getHeaders() as Record<string, string>);
    if (request.method === 'HEAD') return void response.end();
    response.flushHeaders();
    const version = typeof lastEventId === 'string' ? lastEventId : undefined;
    const headers = { authorization, cookie };
    const inTurn = createSerialQueue();
    const stream = { reader, headers, inTurn, response, openedAt: performance.now(), version };
    streams.add(stream);
    response.once('close', () => streams.delete(stream));
    tell([stream]);
  });
}

function formatEvent({ company }: Generation): string {
  const data = { data_version: company.dataVersion, ...describeLoading(company) };
  return `event: data_version\nid: ${company.dataVersion}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Formats a closing or a reopening. It has no id: that of a stream is the data version. */
function formatClosing({ event, name, number, at, by, reason }: HistoryEvent): string {
  return `event: closing\ndata: ${JSON.stringify({ event, name, number, at, by, reason })}\n\n`;
}

function refuse(message: string, { retryAfterSeconds }: Limits): Error {
  return httpError(503, `${message}. Try again in a moment`, { 'retry-after': String(retryAfterSeconds) });
}

const eventOperation = {
  tags: ['Reports'],
  operationId: 'events',
  summary: 'New data versions, as server-sent events',
  description:
    'Sends the event data_version at once, and again whenever there is newer data; its id is the data version. With Last-Event-ID, the first event comes only if the version is another. The event closing tells of each period that is closed or reopened meanwhile. Comments in between keep the connection open. A stream ends after a while: open another, with Last-Event-ID. It ends before its next event or comment when its reader has lost the right to reports, or has come to see a part of the data.',
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The data version that the client knows.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    '200': { description: 'The events.', content: { [MEDIA_TYPE]: { schema: { type: 'string' } } } },
    ...errors([401, 403, 406, 429, 503]),
  },
};
