import { AppError, addSecret, parsePerhaps } from '../../base/index.ts';
import { openJsonMeter } from './json-meter.ts';
import {
  badBody,
  badSourceStatus,
  type Failed,
  foreignRedirect,
  noSourceAnswer,
  redirectWithPassword,
  stalled,
  tooSlow,
} from './request-errors.ts';

/** The largest body of an answer, decompressed. Unit: bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The most values of an answer: parsed ones take up to a hundred times the bytes of their text. Unit: values. */
export const MAX_ANSWER_VALUES = 5_000_000;

/** The deepest nesting of lists and objects in an answer. Unit: levels. */
export const MAX_ANSWER_DEPTH = 64;

/** The part of an answer with an error that is read. Unit: bytes. */
export const MAX_ERROR_BYTES = 65_536;

/** The longest time for one answer, its body included. Unit: ms. */
export const REQUEST_TIMEOUT_MS = 120_000;

/** The longest time without a byte of an answer. Unit: ms. */
export const STALL_TIMEOUT_MS = 60_000;

/** The most redirects followed, all of them within the source. */
export const MAX_REDIRECTS = 3;

/** Bounds of one request. Tests lower them. */
export interface RequestLimits {
  readonly maxAnswerBytes: number;
  readonly maxValues: number;
  readonly maxDepth: number;
  readonly timeoutMs: number;
  readonly stallMs: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  maxAnswerBytes: MAX_ANSWER_BYTES,
  maxValues: MAX_ANSWER_VALUES,
  maxDepth: MAX_ANSWER_DEPTH,
  timeoutMs: REQUEST_TIMEOUT_MS,
  stallMs: STALL_TIMEOUT_MS,
};

export interface SourceAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; undefined without a body. */
  readonly json: unknown;
}

export type Outcome = { readonly answer: SourceAnswer } | Failed;

/** Statuses that mean the client must wait: request timeout, too early, too many requests. */
const WAIT = new Set([408, 425, 429]);

const INTERPRETED = new Set([400, 403, 404, 405, 409, 410, 422]);

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Sends one GET request, once.
 * The token goes to the origin of the source and nowhere else, so redirects are followed by hand.
 * @throws AppError source for an answer that another try wouldn't change.
 */
export async function sendRequest(
  url: URL,
  token: string,
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  addSecret(token);
  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(), limits.stallMs);
  try {
    const response = await followRedirects(url, token, AbortSignal.any([signal, timeout, stall.signal]));
    const { status, headers } = response;
    if (status !== 200) {
      const start = readStart(response);
      if (status === 204 || INTERPRETED.has(status)) {
        const text = await start;
        return { answer: { status, headers, text, json: parsePerhaps(text) } };
      }
      // The status decides, even if the body can't be read.
      const error = badSourceStatus(url, status, await start.catch(() => ''));
      if (status < 500 && !WAIT.has(status)) throw error;
      return { error, kind: status === 429 ? 'refused' : 'other', headers };
    }
    const text = await readText(response, limits, () => timer.refresh());
    const json = parsePerhaps(text);
    if (json !== undefined) return { answer: { status, headers, text, json } };
    const isPage = isWebPage(text, headers);
    return { error: badBody(url, text, isPage), kind: isPage ? 'address' : 'other', headers };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    if (timeout.aborted) return { error: tooSlow(url, limits.timeoutMs), kind: 'other' };
    if (stall.signal.aborted) return { error: stalled(url, limits.stallMs), kind: 'other' };
    return noSourceAnswer(url, error);
  } finally {
    clearTimeout(timer);
  }
}

async function followRedirects(start: URL, token: string, signal: AbortSignal): Promise<Response> {
  let url: URL = start;
  for (let hops = 0; ; hops += 1) {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const response = await fetch(url.href, { headers, redirect: 'manual', signal });
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel();
    const location = response.headers.get('location') ?? '';
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (target && (target.username !== '' || target.password !== '')) throw redirectWithPassword(start);
    if (target?.origin !== start.origin || hops === MAX_REDIRECTS) throw foreignRedirect(start, target);
    url = target;
  }
}

/**
 * Reads the body of an answer, within bounds that are checked while it arrives.
 * @param onBytes Called for each piece.
 * @throws AppError source for a body beyond the bounds, TypeError for a body that isn't UTF-8.
 */
async function readText(response: Response, limits: RequestLimits, onBytes: () => void): Promise<string> {
  const { host, pathname } = new URL(response.url);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const meter = openJsonMeter(limits);
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    onBytes();
    bytes += chunk.byteLength;
    if (bytes > limits.maxAnswerBytes) throw tooLarge(host, pathname, `is larger than ${limits.maxAnswerBytes} bytes`);
    const piece = decoder.decode(chunk, { stream: true });
    const bound = meter.add(piece);
    if (bound === 'maxValues') throw tooLarge(host, pathname, `has more than ${limits.maxValues} values`);
    if (bound === 'maxDepth')
      throw tooLarge(host, pathname, `has lists and objects more than ${limits.maxDepth} levels deep`);
    text += piece;
  }
  return text + decoder.decode();
}

/** Reads the start of a body, which may have the message of an error. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    bytes += chunk.byteLength;
    if (bytes >= MAX_ERROR_BYTES) break;
  }
  return text;
}

function tooLarge(host: string, path: string, problem: string): AppError {
  return new AppError('source', `The answer of ${host} to ${path} ${problem}`, {
    hint: 'Check that the address is the root of the scheduling API.',
  });
}

function isWebPage(text: string, headers: Headers): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*</.test(text);
}
