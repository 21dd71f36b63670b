import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../http/protocol/errors.ts';
import { logFailure } from '../http/protocol/log.ts';

interface ODataError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function answerODataError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = formatODataError(error, request);
  return reply.code(status).headers(headers).send(body);
}

/** Formats an error; logs an internal one with its stack, which the form omits. */
export function formatODataError(error: unknown, request: FastifyRequest): ODataError {
  const { status, name: code, message, errors = [] } = describeError(error);
  if (status === 500) logFailure(request, error);
  const { headers = {} } = error as { headers?: Record<string, string> };
  const details = errors.map(({ field: target, message: fault }) => ({ code, target, message: fault }));
  const [only, ...others] = details;
  const target = only && others.length === 0 ? { target: only.target } : {};
  return {
    status,
    headers: {
      'cache-control': 'no-store',
      'content-type': 'application/json;odata.metadata=minimal;charset=utf-8',
      ...headers,
    },
    body: JSON.stringify({ error: { code, message, ...target, ...(details.length > 0 ? { details } : {}) } }),
  };
}
