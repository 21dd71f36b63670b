import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../error.ts';
import type { Generations, PublishedGenerations } from '../../generation/generations.ts';
import type { ToolAccess } from '../../mcp/tool.ts';
import type { Catalogues } from '../../report/catalogue/definitions.ts';
import { authorize, hasRates, readerKeyOf } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import { openDeadline } from '../reports/deadline.ts';
import { readInTurn, type TurnParts } from '../reports/turn.ts';
import type { StatementRunner } from '../sql/statements.ts';
import { mcpOperation } from './mcp-operation.ts';

export interface McpParts extends TurnParts {
  readonly catalogues: Catalogues;
  /** The data of reports, and that of SQL. */
  readonly generations: Generations;
  readonly published: PublishedGenerations;
  /** Runs statements under the limits of POST /v3/sql. */
  readonly run: StatementRunner;
}

/** Messages to clients that the protocol's library refuses for a header. */
const REFUSALS = {
  406: 'Accept must name both application/json and text/event-stream, of which an answer is one',
  415: 'The body must be a message of JSON-RPC, with the Content-Type application/json',
} as const;

/**
 * Adds POST /mcp, the streamable HTTP of the Model Context Protocol without sessions.
 * Each request carries a message, and is answered by a server of its own with the tools of its token.
 */
export function registerMcp(app: FastifyInstance, parts: McpParts): void {
  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    // Tools need one of two scopes, and those without it are not offered.
    if (!request.reader?.scopes.has('sql')) authorize(request, reply, 'reports');
  };
  const config = { operations: { '/mcp': { post: mcpOperation } } };
  app.post('/mcp', { preParsing, config }, async (request, reply) => {
    assertSingle(request.body);
    // The protocol's library takes 0.4 s to import.
    const [{ createMcpHandler }, { makeToolServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('../../mcp/tool-server.ts'),
    ]);
    const deadline = openDeadline(reply.raw, parts.limits.handlerTimeoutMs);
    const access = accessOf(parts, request, reply, deadline.signal);
    const onFailure = (err: unknown) => request.log.error({ request: request.id, err }, 'failed');
    const handler = createMcpHandler(() => makeToolServer(access, onFailure), { maxSubscriptions: 0, keepAliveMs: 0 });
    const response = await handler.fetch(toFetchRequest(request, deadline.signal), { parsedBody: request.body });
    const body = await response.text();
    deadline.meet();
    if (response.status === 406 || response.status === 415) throw httpError(response.status, REFUSALS[response.status]);
    const type = response.headers.get('content-type');
    if (type !== null) reply.type(type);
    return reply.code(response.status).header('cache-control', 'no-store').send(body);
  });
}

/** Returns the data as the token of a request may read it. */
function accessOf(parts: McpParts, request: FastifyRequest, reply: FastifyReply, deadline: AbortSignal): ToolAccess {
  const { catalogues, generations, published, run, now } = parts;
  const reader = readerKeyOf(request);
  const seesRates = hasRates(request);
  return {
    catalogues,
    scopes: request.reader?.scopes ?? new Set(),
    async read(called, use) {
      const signal = AbortSignal.any([called, deadline]);
      await generations.settle();
      const lease = generations.lease(generations.current());
      return readInTurn(parts, { reader, seesRates, signal }, lease, use).catch(throwReadable);
    },
    async query(query) {
      const result = await run(request, reply, query).catch(throwReadable);
      if (result) return result;
      throw new AppError('busy', 'The client closed the connection');
    },
    company: () => published.current().company,
    now,
  };
}

/** Throws an error that clients may read: those of full queues and deadlines are errors of HTTP. */
function throwReadable(error: unknown): never {
  const isOfHttp = error instanceof Error && 'statusCode' in error;
  throw isOfHttp ? new AppError('busy', error.message, { cause: error }) : error;
}

/** @throws AppError usage for a list of messages, which would count as one request. */
function assertSingle(body: unknown): void {
  if (!Array.isArray(body)) return;
  const message = `The body is a list of ${body.length} messages; send one message in a request`;
  throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
}

/** Returns a request without its body, which is parsed already. */
function toFetchRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'authorization' ? [] : [[name, String(value)] as [string, string]],
  );
  // The protocol's library reads no address.
  return new Request('http://localhost/mcp', { method, headers: sent, signal });
}
