import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answered } from './answered.ts';
import { formatRawError, type HttpErrorStatus } from './errors.ts';
import { SECURITY_HEADERS } from './headers.ts';

/** The time that a client has to read an answer after which its connection ends. Unit: ms. */
const LINGER_MS = 1_000;

/** Logs and counts an answer. */
type Note = (answered: Answered) => void;

/** Answers a request that isn't HTTP, or whose head is too large. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex, note: Note): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large', 'The URL and the headers are too long'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout', 'The request was not complete in time'] as const)
        : ([400, 'Bad Request', 'This is not an HTTP request'] as const);
  // An unreadable request has no method, path, reader or start time.
  end(socket, { status, reason, message, headers: {} }, undefined, note);
}

/** Answers a request whose body isn't whole in time, as Node reports one whose head isn't. */
export function answerLate(socket: Duplex, note: Note): void {
  const error = Object.assign(new Error('The request was not complete in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  answerUnreadable(error, socket, note);
}

/** Answers CONNECT, which Node hands over beside all requests: the server is no proxy. */
export function answerConnect({ method }: IncomingMessage, socket: Duplex, note: Note): void {
  // Without a listener, the end of the connection would stop the program.
  socket.on('error', () => socket.destroy());
  const answer = {
    status: 405,
    reason: 'Method Not Allowed',
    message: 'CONNECT is not allowed: this server is no proxy',
    headers: { allow: '' },
  } as const;
  end(socket, answer, method, note);
}

interface RawAnswer {
  readonly status: HttpErrorStatus;
  readonly reason: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers and ends a connection; discards further input, because the client would otherwise never see the answer. */
function end(socket: Duplex, { status, reason, message, headers }: RawAnswer, method: string | undefined, note: Note) {
  // A listener of its own takes the input from the parser, which would report each part of it as an error again.
  socket.removeAllListeners('data').on('data', () => undefined);
  const request = randomUUID();
  socket.end(formatRawError(status, reason, message, { ...SECURITY_HEADERS, 'x-request-id': request, ...headers }));
  note({ request, method, url: undefined, route: 'none', status, ms: 0, reader: undefined });
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
