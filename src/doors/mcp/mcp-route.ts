import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/index.ts';
import { findStates, openStates, readPreviewBody, type Turn, takeTurn } from '../../store/ask/index.ts';
import { listHistory } from '../../store/history/index.ts';
import { previewFor } from '../http/preview/run-preview.ts';
import { answerInTurn } from '../http/protocol/answer-in-turn.ts';
import { assertSeesAll, authorize, hasRates, seenPartOf } from '../http/protocol/auth.ts';
import { httpError } from '../http/protocol/errors.ts';
import { logFailure } from '../http/protocol/log.ts';
import { policyOf } from '../http/protocol/semaphores.ts';
import type { ServerParts } from '../http/protocol/server-parts.ts';
import type { ToolArguments } from '../registry/tool.ts';
import { mcpOperation } from './mcp-operation.ts';
import type { ToolAccess } from './report-tool.ts';

/** Messages to clients that the protocol's library refuses for a header. */
const REFUSALS = {
  406: 'Accept must name both application/json and text/event-stream, of which an answer is one',
  415: 'The body must be a message of JSON-RPC, with the Content-Type application/json',
} as const;

/**
 * Adds POST /mcp, the streamable HTTP of the Model Context Protocol without sessions.
 * Each request carries a message, and is answered by a server of its own with the tools of its token.
 */
export function registerMcp(app: FastifyInstance, parts: ServerParts): void {
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
      import('./tool-server.ts'),
    ]);
    const onFailure = (error: unknown) => logFailure(request, error);
    const answered = await answerInTurn(request, reply, parts.limits.handlerTimeoutMs, async (turn) => {
      const added = parts.tools.map((make) => {
        const tool = make(request, reply);
        return { ...tool, run: (...asked: Parameters<typeof tool.run>) => tool.run(...asked).catch(throwReadable) };
      });
      const makeServer = () => makeToolServer(accessOf(parts, request, reply, turn), added, onFailure);
      const handler = createMcpHandler(makeServer, { maxSubscriptions: 0, keepAliveMs: 0 });
      const response = await handler.fetch(toFetchRequest(request, turn.signal), { parsedBody: request.body });
      return { response, body: await response.text() };
    });
    if (!answered) return reply.hijack();
    const { response, body } = answered;
    if (response.status === 406 || response.status === 415) throw httpError(response.status, REFUSALS[response.status]);
    const type = response.headers.get('content-type');
    if (type !== null) reply.type(type);
    return reply.code(response.status).header('cache-control', 'no-store').send(body);
  });
}

/** Returns the data as the token of a request may read it. */
function accessOf(parts: ServerParts, request: FastifyRequest, reply: FastifyReply, message: Turn): ToolAccess {
  const { catalogues, config, states, now } = parts;
  const takesChanges = parts.live && !parts.sync && request.reader?.scopes.has('reports') && !seenPartOf(request);
  const preview = (sent: ToolArguments, called: AbortSignal) => {
    const signal = AbortSignal.any([called, message.signal]);
    const taker = { reader: message.reader, signal, hasAliases: false };
    return previewFor(request, reply, parts, readPreviewBody(sent), taker).catch(throwReadable);
  };
  return {
    catalogues,
    scopes: request.reader?.scopes ?? new Set(),
    async ask(asked, called, use) {
      const signal = AbortSignal.any([called, message.signal]);
      const found = await findStates(states, catalogues, asked, message);
      return takeTurn({ ...message, signal }, async (turn) => {
        const { context } = await openStates(turn, found, policyOf(parts));
        return use(context, found.sent);
      }).catch(throwReadable);
    },
    ...(takesChanges && { preview }),
    async states() {
      assertSeesAll(request);
      return listHistory(config.database, hasRates(request));
    },
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
