import { AppError } from '../error.ts';
import { formatForeign } from '../foreign-text.ts';
import { isObject } from '../json-object.ts';
import { failedDependency, notImplemented, wrongPart } from './odata-error.ts';

export interface BatchItem {
  /** Its identifier; undefined for a part of a multipart body without one. */
  readonly id: string | undefined;
  readonly atomicityGroup: string | undefined;
  /** The identifiers of the requests and groups that must succeed first. */
  readonly dependsOn: readonly string[];
  /** The GET to answer, or the error that answers another request. */
  readonly call: BatchCall | Error;
}

/** A GET as sent. */
export interface BatchCall {
  /** A relative URL, an absolute path or an absolute URL. */
  readonly url: string;
  /** The headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Requests in a batch. Unit: requests. */
export const MAX_BATCH_REQUESTS = 100;

/** The longest identifier of a request. Unit: characters. */
const MAX_REQUEST_ID_CHARACTERS = 128;

/** @throws AppError limit for too many requests. */
export function assertFewRequests(count: number): void {
  if (count <= MAX_BATCH_REQUESTS) return;
  throw new AppError('limit', `The batch has more than ${MAX_BATCH_REQUESTS} requests`, {
    hint: 'Send them in several batches.',
  });
}

/** Returns the GET of a request, or the error of a request that isn't one. */
export function readCall(
  method: string,
  url: string,
  headers: BatchCall['headers'],
  hasBody: boolean,
): BatchCall | Error {
  if (method.toUpperCase() !== 'GET')
    return notImplemented(
      `${formatForeign(method)} is not implemented in a batch, but GET: nothing can be changed here`,
    );
  return hasBody ? wrongPart('body', 'A GET has no body') : { url, headers };
}

/** Returns the headers of a request. @throws AppError usage for a control character, line breaks included. */
export function readHeaders(place: string, sent: readonly (readonly [string, string])[]): BatchCall['headers'] {
  const hidden = sent.find((header) => header.some((text) => hasControl(text)));
  if (hidden) throw wrongPart(place, `The header ${JSON.stringify(formatForeign(hidden[0]))} has a control character`);
  return new Map(sent.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Checks that identifiers are distinct and dependencies point backwards. @throws AppError usage naming the request. */
export function assertLinked(items: readonly BatchItem[]): void {
  const groups = new Set(items.map(({ atomicityGroup }) => atomicityGroup));
  const known = new Set<string>();
  for (const [index, { id, atomicityGroup, dependsOn }] of items.entries()) {
    const place = `requests[${index}]`;
    const unknown = dependsOn.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw wrongPart(
        `${place}.dependsOn`,
        `${place}.dependsOn: no request before it has the id ${JSON.stringify(formatForeign(unknown))}`,
      );
    if (id !== undefined && (known.has(id) || groups.has(id)))
      throw wrongPart(`${place}.id`, `${place}.id: ${JSON.stringify(id)} is the id of another request or group`);
    for (const name of [id, atomicityGroup]) if (name !== undefined) known.add(name);
  }
}

/** Checks an identifier, which answers repeat in headers. @throws AppError usage for an invalid one. */
export function assertId(place: string, id: string): void {
  if (id.length <= MAX_REQUEST_ID_CHARACTERS && /^[\x21-\x7e]+$/.test(id)) return;
  const message = `${place}: ${JSON.stringify(formatForeign(id))} is not an id of 1 to ${MAX_REQUEST_ID_CHARACTERS} visible characters of ASCII`;
  throw wrongPart(place, message);
}

/**
 * Parses the JSON of a batch.
 * @throws AppError usage for a wrong form, limit for too many requests.
 */
export function parseJsonBatch(body: unknown): BatchItem[] {
  const requests = isObject(body) ? body['requests'] : undefined;
  if (!Array.isArray(requests)) throw wrongPart('body', 'The body has no list "requests"');
  assertFewRequests(requests.length);
  return requests.map((request, index) => parseItem(request, `requests[${index}]`));
}

function parseItem(sent: unknown, place: string): BatchItem {
  if (!isObject(sent)) throw wrongPart(place, `${place} is not an object`);
  const { headers = {}, dependsOn = [], body = null, atomicityGroup, if: condition } = sent;
  const readText = (name: string) => {
    const value = sent[name];
    if (typeof value !== 'string') throw wrongPart(`${place}.${name}`, `${place}.${name} is not a text`);
    return value;
  };
  const id = readText('id');
  const group = atomicityGroup === undefined ? undefined : readText('atomicityGroup');
  for (const [name, text] of Object.entries({ id, ...(group === undefined ? {} : { atomicityGroup: group }) }))
    assertId(`${place}.${name}`, text);
  if (!isTexts(dependsOn)) throw wrongPart(`${place}.dependsOn`, `${place}.dependsOn is not a list of texts`);
  if (!isObject(headers) || !isTexts(Object.values(headers)))
    throw wrongPart(`${place}.headers`, `${place}.headers is not an object of texts`);
  const named = readHeaders(`${place}.headers`, Object.entries(headers) as [string, string][]);
  const call = readCall(readText('method'), readText('url'), named, body !== null);
  const refusal =
    (group === undefined
      ? undefined
      : notImplemented('Atomicity groups are not implemented: nothing can be changed here')) ??
    // The standard requires this status of services that don't implement conditions.
    (condition === undefined
      ? undefined
      : failedDependency('"if" is not implemented. Leave it out, and use dependsOn'));
  return { id, atomicityGroup: group, dependsOn, call: refusal ?? call };
}

/**
 * Returns the path and the query of a request.
 * @param root The root URL of the service, as clients see it.
 * @throws AppError usage for a URL of another server, or outside the service.
 */
export function resolveCall({ url, headers }: BatchCall, root: string): string {
  const wrong = (fault: string) => wrongPart('url', `${JSON.stringify(formatForeign(url))} ${fault}`);
  const base = new URL(root);
  const target = hasControl(url) || !URL.canParse(url, root) ? undefined : new URL(url, root);
  if (!target || !isDecodable(target.pathname)) throw wrong('is not a URL');
  const host = headers.get('host');
  const hosts = [target.protocol === 'https:' || target.protocol === 'http:' ? target.host : ''];
  if (host !== undefined)
    hosts.push(URL.canParse(`${base.protocol}//${host}`) ? new URL(`${base.protocol}//${host}`).host : '');
  if (hosts.some((each) => each !== base.host)) throw wrong(`is not of this server, ${base.host}`);
  if (!`${target.pathname}/`.startsWith(base.pathname)) throw wrong(`is not below ${base.pathname}`);
  return target.pathname + target.search;
}

/** Tells whether each % of a path begins a character's code: the router would refuse others with an error in another form. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
