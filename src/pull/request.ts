import { AppError } from '../error.ts';
import { addSecret } from '../secrets.ts';
import { badBody, badStatus, type Failed, foreignRedirect, noAnswer, tooSlow } from './request-errors.ts';

/** The largest body of an answer, decompressed. Unit: bytes. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The longest time for one answer, its body included. Unit: ms. */
export const REQUEST_TIMEOUT_MS = 120_000;

/** The most redirects followed, all of them within the source. */
export const MAX_REDIRECTS = 3;

/** Bounds of one request. Tests lower them. */
export interface RequestLimits {
  readonly maxAnswerBytes: number;
  readonly timeoutMs: number;
}

/** A complete answer with a parsed body. */
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

/** Statuses that callers interpret. */
const TOLD = new Set([400, 403, 404, 405, 409, 410, 422]);

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
  try {
    const response = await followRedirects(url, token, AbortSignal.any([signal, timeout]));
    const { status, headers } = response;
    if (status >= 500 || WAIT.has(status)) {
      const text = await readText(response, limits.maxAnswerBytes).catch(() => '');
      return { error: badStatus(url, status, text), kind: status === 429 ? 'refused' : 'other', headers };
    }
    const text = await readText(response, limits.maxAnswerBytes);
    if (status !== 200 && status !== 204 && !TOLD.has(status)) throw badStatus(url, status, text);
    if (status !== 200) return { answer: { status, headers, text, json: parseJson(text) } };
    const json = parseJson(text);
    if (json !== undefined) return { answer: { status, headers, text, json } };
    const isPage = isWebPage(text, headers);
    return { error: badBody(url, text, isPage), kind: isPage ? 'address' : 'other', headers };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    if (timeout.aborted) return { error: tooSlow(url, limits.timeoutMs), kind: 'other' };
    return noAnswer(url, error);
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
    if (target?.origin !== start.origin || hops === MAX_REDIRECTS) throw foreignRedirect(start, target);
    url = target;
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new AppError('source', `An answer of ${new URL(response.url).host} is larger than ${maxBytes} bytes`, {
        hint: 'Check that the address is the root of the scheduling API.',
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function isWebPage(text: string, headers: Headers): boolean {
  return /html/i.test(headers.get('content-type') ?? '') || /^\s*</.test(text);
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
