import { signal } from '@preact/signals';

/** An error of the server, or of the way to it (status 0). */
export interface Failure {
  readonly status: number;
  readonly message: string;
  /** The names of what is wrong in a request, if the server says so. */
  readonly fields?: readonly string[];
}

const STORED_TOKEN = 'plumbline.token';

/** The token sent with each request. It is never part of an address. */
const token = signal(sessionStorage.getItem(STORED_TOKEN));

/** The server's refusal if it asks for a token, or for another one. */
export const refusal = signal<string | undefined>(undefined);

/** The path at which readers sign in; undefined where the server has none, or hasn't said so. */
export const signInPath = signal<string | undefined>(undefined);

/** A header by which the server knows its own page: no page of another site can send it. */
const PAGE = { 'x-plumbline-page': '1' };

export function isTokenGiven(): boolean {
  return token.value !== null;
}

/** Uses a token from now on. @param keeps True to keep it until the tab is closed. */
export function setToken(text: string, keeps: boolean): void {
  token.value = text;
  if (keeps) sessionStorage.setItem(STORED_TOKEN, text);
  else sessionStorage.removeItem(STORED_TOKEN);
  refusal.value = undefined;
}

/**
 * Reads JSON from the server. The browser asks whether its copy is still current.
 * @throws a Failure.
 */
export async function readJson<T>(path: string, signal = new AbortController().signal): Promise<T> {
  const response = await request(path, 'application/json', signal);
  const body = await response.json().catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw { status: response.status, message: 'The answer was cut off.' } satisfies Failure;
  });
  if (response.ok) return body;
  throw failureOf(response, body);
}

/**
 * Reads a file from the server, with the name that the server gives it.
 * @throws a Failure.
 */
export async function readFile(path: string): Promise<{ readonly blob: Blob; readonly name: string }> {
  const response = await request(path, '*/*', new AbortController().signal);
  if (!response.ok) throw failureOf(response, await response.json().catch(() => ({})));
  const [, name = 'report'] = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const blob = await response.blob().catch(() => {
    throw { status: response.status, message: 'The answer was cut off.' } satisfies Failure;
  });
  return { blob, name };
}

/**
 * Sends JSON to the server.
 * @throws a Failure.
 */
export async function sendJson<T>(path: string, body: object, method = 'POST'): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await request(path, 'application/json', new AbortController().signal, {
    headers,
    method,
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw failureOf(response, answer);
}

/**
 * Sends a form to the server. A fetch doesn't tell how much of it is sent.
 * @param onSent Called with the part that is sent, from 0 to 1.
 * @throws a Failure.
 */
export function sendForm<T>(path: string, form: FormData, onSent: (part: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = token.value;
    const sending = new XMLHttpRequest();
    sending.open('POST', path);
    for (const [name, value] of Object.entries({ ...PAGE, accept: 'application/json' }))
      sending.setRequestHeader(name, value);
    if (sent) sending.setRequestHeader('authorization', `Bearer ${sent}`);
    sending.responseType = 'json';
    sending.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total);
    sending.onerror = () => reject({ status: 0, message: 'The server does not answer.' } satisfies Failure);
    sending.onload = () => {
      const { status, statusText, response } = sending;
      if (status === 401) refuseToken(sent, sending.getResponseHeader('link'));
      if (status >= 200 && status < 300) resolve(response);
      else reject(failureOf({ status, statusText }, response ?? {}));
    };
    sending.send(form);
  });
}

async function request(
  path: string,
  accept: string,
  signal: AbortSignal,
  posted?: { readonly headers: Readonly<Record<string, string>>; readonly method: string; readonly body: string },
): Promise<Response> {
  const sent = token.value;
  const headers = { ...PAGE, accept, ...(sent ? { authorization: `Bearer ${sent}` } : {}), ...posted?.headers };
  const post = posted && { method: posted.method, body: posted.body };
  // A token decides alone. Without one, a session's cookie may; the server doesn't let its page be asked for a password.
  const credentials = sent ? 'omit' : 'same-origin';
  const response = await fetch(path, { headers, signal, credentials, ...post }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw { status: 0, message: 'The server does not answer.' } satisfies Failure;
  });
  // A late refusal of the token before says nothing about this one.
  if (response.status === 401) refuseToken(sent, response.headers.get('link'));
  return response;
}

/**
 * Asks for another token, unless there is one already, or for a sign-in.
 * @param sent The one that the server refused.
 * @param link The header that names the sign-in.
 */
function refuseToken(sent: string | null, link: string | null): void {
  if (sent !== token.value) return;
  const [, path] = /^<([^>]*)>; rel="sign-in"/.exec(link ?? '') ?? [];
  refuse(sent ? 'The token is wrong, expired or revoked. Another one is needed.' : '', path);
}

/** Shows the entrance in place of the screens. @param path The path of the sign-in, if there is one. */
export function refuse(reason: string, path: string | undefined): void {
  signInPath.value = path;
  refusal.value = reason;
}

function failureOf(
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  {
    message = statusText,
    errors = [],
  }: { readonly message?: string; readonly errors?: readonly { readonly field: string }[] },
): Failure {
  return { status, message, fields: errors.map(({ field }) => field) };
}
