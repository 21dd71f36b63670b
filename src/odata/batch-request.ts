import { formatForeign } from '../foreign-text.ts';
import { notImplemented, wrongPart } from './odata-error.ts';

export interface BatchItem {
  /** Its identifier; undefined for a part of a multipart body without one. */
  readonly id: string | undefined;
  readonly atomicityGroup: string | undefined;
  /** The identifiers of the requests and groups that must succeed first. */
  readonly dependsOn: readonly string[];
  /** The GET to answer, or the error that answers another request. */
  readonly call: BatchCall | Error;
}

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

/** Identifier of a request, which answers repeat in headers. */
export const REQUEST_ID = {
  type: 'string',
  pattern: '^[!-~]+$',
  maxLength: MAX_REQUEST_ID_CHARACTERS,
  expected: 'an id in ASCII without blanks',
} as const;

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
    const place = `requests[${index + 1}]`;
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
