import type { FastifyReply, FastifyRequest } from 'fastify';
import { outOfMemoryError } from '../../../base/database/index.ts';
import {
  AppError,
  advisedMessageOf,
  type ErrorCode,
  type ErrorCodeStatus,
  type FieldError,
  formatForeign,
  httpStatus,
  MAX_ERROR_CHARACTERS,
} from '../../../base/index.ts';
import { logFailure } from './log.ts';
import { answerNode } from './nodes.ts';

export interface ErrorBody {
  /** The kind of error for programs, one per status. */
  readonly name: string;
  readonly message: string;
  readonly code: ErrorCode;
  readonly status: HttpErrorStatus;
  /** The faults by parameter, with status 400 and 422. */
  readonly errors?: readonly FieldError[];
}

/** The error meant by a status. */
interface ErrorStatus {
  readonly name: string;
  /** The code of an error without one of its own. */
  readonly code: ErrorCode;
  readonly meaning: string;
}

/** Every status of an error answer; the compiler checks that it has those of all kinds of errors. */
const STATUSES = {
  400: {
    name: 'bad_request',
    code: 'usage',
    meaning: 'A parameter is unknown, missing or has a value that is not allowed.',
  },
  401: {
    name: 'unauthorized',
    code: 'unauthorized',
    meaning: 'The token is missing, wrong, expired or revoked.',
  },
  403: {
    name: 'forbidden',
    code: 'forbidden',
    meaning: 'The token lacks the scope for this request, or for a column in it; or a page of another site sent it.',
  },
  404: { name: 'not_found', code: 'unknown', meaning: 'There is no such path, report or format.' },
  405: { name: 'method_not_allowed', code: 'usage', meaning: 'The path has other methods, which Allow lists.' },
  406: { name: 'not_acceptable', code: 'usage', meaning: 'None of the formats in Accept is available.' },
  408: { name: 'request_timeout', code: 'limit', meaning: 'The request was not complete in time.' },
  409: { name: 'conflict', code: 'busy', meaning: 'Another request or process is using what this one needs.' },
  410: {
    name: 'gone',
    code: 'gone',
    meaning:
      'The cursor is of earlier data, as the link is in OData, or older than the listed deletions: read all pages again from the first.',
  },
  413: { name: 'body_too_large', code: 'limit', meaning: 'The body is too large.' },
  414: { name: 'url_too_long', code: 'limit', meaning: 'The URL, or a name in it, is too long.' },
  415: {
    name: 'unsupported_media_type',
    code: 'usage',
    meaning: 'The media type of the body is not supported, or it is compressed.',
  },
  416: {
    name: 'range_not_satisfiable',
    code: 'usage',
    meaning: 'The answer ends before the range of bytes begins. Content-Range has its size.',
  },
  421: {
    name: 'wrong_host',
    code: 'forbidden',
    meaning: 'Without tokens, the server only answers requests to localhost, 127.0.0.1 and [::1].',
  },
  422: { name: 'unprocessable', code: 'limit', meaning: 'The request exceeds a limit, or its record breaks a rule.' },
  429: {
    name: 'too_many_requests',
    code: 'limit',
    meaning: 'There were too many requests in a minute. Retry-After is the time to wait.',
  },
  431: { name: 'headers_too_large', code: 'limit', meaning: 'The URL and the headers together are too long.' },
  500: {
    name: 'internal_error',
    code: 'internal',
    meaning: 'A check of the numbers failed, so none are shown, or the program failed.',
  },
  501: {
    name: 'not_implemented',
    code: 'usage',
    meaning: 'No path has the method, or that part of OData is not implemented.',
  },
  502: {
    name: 'bad_gateway',
    code: 'source',
    meaning: 'A service that the answer depends on is unreachable or gave no readable answer.',
  },
  503: {
    name: 'unavailable',
    code: 'busy',
    meaning: 'No data is loaded yet, too many requests are waiting, the answer took too long, or the disk is full.',
  },
} as const satisfies Readonly<Record<number, ErrorStatus>> & Readonly<Record<ErrorCodeStatus, ErrorStatus>>;

export type HttpErrorStatus = keyof typeof STATUSES;

export const ERROR_STATUSES: Readonly<Record<number, ErrorStatus>> = STATUSES;

/** Makes an error specific to HTTP. @param headers Headers of its answer. */
export function httpError(
  status: HttpErrorStatus,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Error {
  return Object.assign(new Error(message), { statusCode: status, headers });
}

export function describeError(error: unknown): ErrorBody {
  const status = statusOf(error);
  const { name, code } = STATUSES[status];
  const message = messageFor(error, status);
  return {
    name,
    message,
    code: error instanceof AppError ? error.code : code,
    status,
    ...(status === 400 || status === 422 ? { errors: fieldsOf(error, message) } : {}),
  };
}

/** Answers an error; logs an internal one with its stack, which the answer omits. */
export function answerError(cause: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = outOfMemoryError(cause);
  const body = describeError(error);
  if (body.status === 500) logFailure(request, error);
  const { headers = {} } = error as { headers?: Record<string, string> };
  reply.code(body.status).headers({ 'cache-control': 'no-store', ...headers });
  const { errors, ...said } = body;
  const faults = errors?.map(({ field, message }) => ({ field, message }));
  return answerNode(request, reply, faults ? { ...said, errors: faults } : said);
}

/**
 * Formats the answer to an unreadable request, as bytes for the socket.
 * @param headers Headers beside those of the body.
 */
export function formatRawError(
  status: HttpErrorStatus,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>>,
): string {
  const body = `${JSON.stringify(describeError(httpError(status, message)))}\n`;
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    'cache-control: no-store',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}

/** Faulty parts of requests that reach no route, by the code of fastify's error. */
const UNREAD: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'path',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body',
};

function fieldsOf(error: unknown, message: string): readonly FieldError[] {
  if (error instanceof AppError) return error.fields;
  const field = UNREAD[String((error as { code?: unknown }).code)];
  return field === undefined ? [] : [{ field, message }];
}

function statusOf(error: unknown): HttpErrorStatus {
  if (error instanceof AppError) return httpStatus(error);
  const { statusCode } = error as { statusCode?: unknown };
  return isErrorStatus(statusCode) ? statusCode : 500;
}

function isErrorStatus(status: unknown): status is HttpErrorStatus {
  return typeof status === 'number' && Object.hasOwn(STATUSES, status);
}

function messageFor(error: unknown, status: number): string {
  // The hint on a wrong parameter names command-line flags; the message has the allowed values.
  if (error instanceof AppError) return error.code === 'usage' ? error.message : advisedMessageOf(error);
  if (status === 500) return 'The program failed. The log has the details under the id of this request (X-Request-Id).';
  return formatForeign((error as Error).message, MAX_ERROR_CHARACTERS);
}
