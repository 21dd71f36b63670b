import { declareBody } from '../body/declared-body.ts';
import { AppError } from '../error.ts';
import { type BatchItem, MAX_BATCH_REQUESTS, REQUEST_ID, readCall, readHeaders } from './batch-request.ts';
import { notImplemented, wrongPart } from './odata-error.ts';

/** A boundary, as RFC 2046 allows it. */
const BOUNDARY = /^[\w'()+,./:=?-]{1,70}$/;

const requestId = declareBody(REQUEST_ID);

/**
 * Parses a multipart batch (OData 4.01 protocol, 11.7.7), in one pass over its lines.
 * @param contentType The header that names the boundary.
 * @throws AppError usage for a wrong form, limit for too many requests.
 */
export function parseMultipartBatch(text: string, contentType: string): BatchItem[] {
  return splitParts(text, readBoundary(contentType)).map((lines, index) => parsePart(lines, `parts[${index + 1}]`));
}

function readBoundary(contentType: string): string {
  const parameter = contentType.split(';').find((each) => /^\s*boundary=/i.test(each)) ?? '';
  const value = parameter.slice(parameter.indexOf('=') + 1).trim();
  const boundary = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  if (BOUNDARY.test(boundary)) return boundary;
  throw wrongPart(
    'Content-Type',
    'Content-Type names no boundary of 1 to 70 characters, as multipart/mixed;boundary=batch_1 does',
  );
}

/** Returns the lines of each part; lines may end in a single LF, which some clients write. */
function splitParts(text: string, boundary: string): string[][] {
  const delimiter = `--${boundary}`;
  const parts: string[][] = [];
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const rest = line.startsWith(delimiter) ? line.slice(delimiter.length).trim() : undefined;
    if (rest === '--') return parts;
    if (rest === '') assertFew(parts.push([]));
    else parts.at(-1)?.push(line);
  }
  throw wrongPart('body', `The body has no line --${boundary}--, which ends a batch`);
}

function assertFew(count: number): void {
  if (count <= MAX_BATCH_REQUESTS) return;
  throw new AppError('limit', `The batch has more than ${MAX_BATCH_REQUESTS} requests`, {
    hint: 'Send them in several batches.',
  });
}

function parsePart(lines: readonly string[], place: string): BatchItem {
  const [head, content] = splitHead(lines, place);
  const id = head.get('content-id');
  if (id !== undefined) requestId.read(id, `${place}.Content-ID`);
  const item = { id, atomicityGroup: undefined, dependsOn: [] };
  const type = (head.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'multipart/mixed')
    return { ...item, call: notImplemented('Change sets are not implemented: nothing can be changed here') };
  if (type !== 'application/http')
    throw wrongPart(place, `${place} is neither application/http nor a change set, as its Content-Type must say`);
  const [requestLine = '', ...rest] = content;
  const words = requestLine.trim().split(' ');
  if (/^HTTP\/\d(?:\.\d)?$/.test(words.at(-1) ?? '')) words.pop();
  const [method = '', ...url] = words;
  if (url.length === 0) throw wrongPart(place, `${place} begins with no line such as GET clients HTTP/1.1`);
  const [headers, body] = splitHead(rest, place);
  return {
    ...item,
    call: readCall(
      method,
      url.join(' '),
      headers,
      body.some((line) => line.trim() !== ''),
    ),
  };
}

function splitHead(
  lines: readonly string[],
  place: string,
): [head: ReadonlyMap<string, string>, rest: readonly string[]] {
  const empty = lines.indexOf('');
  const end = empty < 0 ? lines.length : empty;
  const headers = lines.slice(0, end).map((line) => {
    const colon = line.indexOf(':');
    if (colon < 1 || line.trimStart() !== line) throw wrongPart(place, `${place} has a header that isn't NAME: VALUE`);
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  return [readHeaders(place, headers), lines.slice(end + 1)];
}
