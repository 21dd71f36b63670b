import { errors } from '../protocol/operations.ts';

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
    ...errors([400, 401, 403, 406, 413, 415, 429, 500]),
  },
};
