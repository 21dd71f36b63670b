import type { FastifyReply, FastifyRequest } from 'fastify';
import { describeError } from '../protocol/errors.ts';
import { logFailure } from '../protocol/log.ts';
import { SIGN_IN_PATH } from '../protocol/session-cookie.ts';
import { escapeText } from '../protocol/xml.ts';

/** Answers a failed sign-in as a page: a browser shows it in place of the reports. */
export function answerNotice(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message } = describeError(error);
  if (status === 500) logFailure(request, error);
  else request.log.info({ request: request.id }, `sign-in: ${message}`);
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plumbline</title></head>
<body><main><h1>You are not signed in</h1><p role="alert">${escapeText(message)}</p><p><a href="${SIGN_IN_PATH}">Sign in again</a></p></main></body>
</html>
`);
}
