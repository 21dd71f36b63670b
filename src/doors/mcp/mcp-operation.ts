import { errorProperties } from '../http/protocol/error-schema.ts';
import { errors, type Schema, TEXT } from '../http/protocol/operations.ts';

/** One object with the members of both forms: generators of clients know no union of objects. */
const refusal: Schema = {
  type: 'object',
  description:
    'An error of JSON-RPC, with jsonrpc, id and error, for a message that the protocol refuses; else the members of Error.',
  properties: {
    ...errorProperties,
    jsonrpc: TEXT,
    id: { type: ['string', 'integer', 'null'], description: 'The id of the message; null if it has none.' },
    error: {
      type: 'object',
      properties: { code: { type: 'integer' }, message: TEXT },
      required: ['code', 'message'],
    },
  },
  additionalProperties: false,
};

/** Operation of POST /mcp. Its tools are in docs/mcp.md. */
export const mcpOperation = {
  tags: ['MCP'],
  operationId: 'mcp',
  summary: 'Tools for language models',
  description:
    'The Model Context Protocol over streamable HTTP, without sessions: one JSON-RPC message in a request. Its methods are initialize, server/discover, tools/list and tools/call; the tools are those of the scopes of the token.',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { type: 'object', description: 'A message of JSON-RPC 2.0.' } } },
  },
  responses: {
    '200': {
      description: 'The answer.',
      content: {
        'application/json': { schema: { type: 'object' } },
        'text/event-stream': { schema: { type: 'string', description: 'The answer as one event.' } },
      },
    },
    '202': { description: 'A notification was taken.' },
    '400': {
      description: 'The body is no message, or the protocol refuses it.',
      content: { 'application/json': { schema: refusal } },
    },
    ...errors([401, 403, 406, 413, 415, 429, 500, 503]),
  },
};
