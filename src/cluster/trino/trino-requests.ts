import pRetry from 'p-retry';
import { AppError, addSecret, formatForeign, parsePerhaps } from '../../base/index.ts';
import {
  badClusterStatus,
  endlessAnswer,
  foreignAddress,
  lostStatement,
  noClusterAnswer,
  slowCluster,
  wrongAnswer,
} from './trino-errors.ts';

export interface TrinoServer {
  readonly url: URL;
  readonly user: string;
  /** A password, or a token (JWT, OAuth 2.0); both need https. */
  readonly password?: string;
  readonly token?: string;
  /** Tests lower it. Default: FIRST_DELAY_MS. */
  readonly firstDelayMs?: number;
  /** Tests lower it. Default: ANSWER_TIMEOUT_MS. */
  readonly answerTimeoutMs?: number;
  /** Tests lower it. Default: CANCEL_TIMEOUT_MS. */
  readonly cancelTimeoutMs?: number;
}

export interface TrinoRequests {
  /** Sends a statement. @returns parsed JSON. @throws AppError cluster. */
  post(path: string, body: string, signal: AbortSignal): Promise<unknown>;
  /** Reads the answer at an address that the server gave. @returns parsed JSON. @throws AppError cluster. */
  get(address: string, signal: AbortSignal): Promise<unknown>;
  /** Asks the server to end a statement. Ignores errors: a server that is gone has ended it. */
  cancel(address: string): Promise<void>;
}

/** The longest time for one answer, its body included. Unit: ms. */
export const ANSWER_TIMEOUT_MS = 60_000;

/** The longest time to ask a server to end a statement, which it also ends by itself when nobody reads on. Unit: ms. */
export const CANCEL_TIMEOUT_MS = 5_000;

/** The largest answer: a coordinator sends rows in pages of at most 16 MiB. Unit: bytes. */
export const MAX_ANSWER_BYTES = 67_108_864;

/** The most times that one request is sent. */
export const MAX_TRIES = 8;

/** The delay before the second try, doubled for each one after it. Unit: ms. */
export const FIRST_DELAY_MS = 250;

/** Statuses of a server, or of a proxy before it, that is busy or being restarted. */
const BUSY = [429, 502, 503, 504];

/** Statuses of a server that no longer knows a statement. */
const FORGOTTEN = [404, 410];

/** Matches a text that a header can have. */
const HEADER_TEXT = /^[\x20-\x7e]+$/;

/** An error that another try may avoid. */
class Passing extends Error {}

/** @throws AppError usage for credentials that would be sent unencrypted, or a user that can't be sent. */
export function openRequests(server: TrinoServer, sessionHeaders: Readonly<Record<string, string>>): TrinoRequests {
  const headers = { ...identify(server), ...sessionHeaders };
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS, cancelTimeoutMs = CANCEL_TIMEOUT_MS } = server;
  let hasAnswered = false;

  /** Sends every request to the server. A redirect would send the user, or credentials, elsewhere. */
  const request = async (url: URL, method: string, signal: AbortSignal, body?: string): Promise<Response> => {
    const content = body === undefined ? {} : { body };
    return fetch(url.href, { method, headers, signal, redirect: 'manual', ...content });
  };

  const send = async (url: URL, method: string, body: string | undefined, signal: AbortSignal): Promise<unknown> => {
    let text: string;
    const timeout = AbortSignal.timeout(answerTimeoutMs);
    try {
      const response = await request(url, method, AbortSignal.any([signal, timeout]), body);
      text = await readText(response, url);
      if (BUSY.includes(response.status))
        throw new Passing('', { cause: badClusterStatus(url, response.status, text) });
      if (method === 'GET' && FORGOTTEN.includes(response.status)) throw lostStatement(url);
      if (response.status !== 200) throw badClusterStatus(url, response.status, text);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError || error instanceof Passing) throw error;
      const failed = timeout.aborted ? slowCluster(url, answerTimeoutMs) : noClusterAnswer(url, error);
      // A wrong address fails at once; a server that has answered before gets time to recover.
      throw hasAnswered && method === 'GET' ? new Passing('', { cause: failed }) : failed;
    }
    hasAnswered = true;
    return parsePerhaps(text) ?? raise(wrongAnswer(url));
  };

  const sendUntilAnswered = (url: URL, method: string, body: string | undefined, signal: AbortSignal) =>
    pRetry(() => send(url, method, body, signal), {
      retries: MAX_TRIES - 1,
      minTimeout: server.firstDelayMs ?? FIRST_DELAY_MS,
      signal,
      shouldRetry: ({ error }) => error instanceof Passing,
    }).catch((error: unknown) => raise(error instanceof Passing ? error.cause : error));

  return {
    post: (path, body, signal) => sendUntilAnswered(new URL(path, server.url), 'POST', body, signal),
    async get(address, signal) {
      return sendUntilAnswered(ownAddress(server, address), 'GET', undefined, signal);
    },
    async cancel(address) {
      const answer = request(ownAddress(server, address), 'DELETE', AbortSignal.timeout(cancelTimeoutMs));
      await answer.then((response) => response.body?.cancel()).catch(() => undefined);
    },
  };
}

/** @throws AppError cluster for an answer beyond MAX_ANSWER_BYTES. */
async function readText({ body }: Response, url: URL): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) throw endlessAnswer(url, `${MAX_ANSWER_BYTES / 1024 ** 2} MiB`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** @throws AppError usage for credentials that would be sent unencrypted, or a user that can't be sent. */
function identify({ url, user, password, token }: TrinoServer): Record<string, string> {
  if (!HEADER_TEXT.test(user)) {
    throw new AppError('usage', `The user ${formatForeign(user)} can't be sent to ${url.origin}`, {
      hint: 'Name a user of letters, digits and signs of ASCII.',
    });
  }
  const named = { 'x-trino-user': user, 'x-trino-source': 'plumbline' };
  if (password === undefined && token === undefined) return named;
  if (url.protocol !== 'https:') {
    throw new AppError('usage', `${url.origin} is not encrypted, so no password or token is sent there`, {
      hint: 'Give the address of the server with https://.',
    });
  }
  const pair = Buffer.from(`${user}:${password}`).toString('base64');
  for (const secret of token === undefined ? [password, pair] : [token]) addSecret(secret);
  return { ...named, authorization: token === undefined ? `Basic ${pair}` : `Bearer ${token}` };
}

/** @throws AppError cluster for an address elsewhere: credentials go to one server only. */
function ownAddress({ url }: TrinoServer, address: string): URL {
  const target = URL.canParse(address) ? new URL(address) : undefined;
  if (target?.origin === url.origin && target.username === '' && target.password === '') return target;
  throw foreignAddress(url, address);
}

function raise(error: unknown): never {
  throw error;
}
