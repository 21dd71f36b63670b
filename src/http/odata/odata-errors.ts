import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../protocol/errors.ts';

/** Answers an error in the form of OData; logs an internal one with its stack, which the answer omits. */
export function answerODataError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, name: code, message, errors = [] } = describeError(error);
  if (status === 500) request.log.error({ request: request.id, err: error }, 'failed');
  const { headers = {} } = error as { headers?: Record<string, string> };
  const details = errors.map(({ field: target, message: fault }) => ({ code, target, message: fault }));
  const [only, ...others] = details;
  const target = only && others.length === 0 ? { target: only.target } : {};
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .type('application/json;odata.metadata=minimal;charset=utf-8')
    .send(JSON.stringify({ error: { code, message, ...target, ...(details.length > 0 ? { details } : {}) } }));
}
