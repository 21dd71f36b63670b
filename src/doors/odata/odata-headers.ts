import type { IncomingHttpHeaders } from 'node:http';
import { httpError } from '../http/protocol/errors.ts';
import { MAX_PREFER_CHARACTERS } from '../http/protocol/ignored.ts';
import type { JsonForm } from './rows-json.ts';

export const ODATA_VERSION = '4.0';

const LEVELS = ['minimal', 'full', 'none'] as const;

/** Media types that JSON is an answer to. */
const ACCEPTED = ['application/json', 'application/*', '*/*'];

/** @throws an error of status 400 for a client that speaks other versions of OData. */
export function assertVersion(headers: IncomingHttpHeaders): void {
  const { 'odata-version': sent, 'odata-maxversion': most } = headers;
  if (sent !== undefined && !/^4\.01?$/.test(String(sent)))
    throw httpError(400, `OData-Version: ${sent} is not spoken here, but 4.0`);
  if (most !== undefined && !/^(?:[4-9]|[1-9]\d+)(?:\.\d+)?$/.test(String(most)))
    throw httpError(400, `OData-MaxVersion: ${most} is too low; answers are of version 4.0`);
}

/**
 * Returns the form of an answer by $format, or else by the Accept header.
 * @throws an error of status 406 if it is not JSON, or has an unknown parameter value.
 */
export function chooseForm(accept: string | undefined, format: string | undefined): JsonForm {
  const ranges = (format ?? accept ?? '*/*').split(',').map(parseRange);
  const wanted = ranges
    .map((range) => (range.type === 'json' && format !== undefined ? { ...range, type: 'application/json' } : range))
    .filter(({ type, quality }) => ACCEPTED.includes(type) && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0];
  const level = wanted?.parameters.get('odata.metadata') ?? wanted?.parameters.get('metadata') ?? 'minimal';
  const metadata = LEVELS.find((each) => each === level);
  const compatible = wanted?.parameters.get('ieee754compatible') ?? 'false';
  if (wanted && metadata && (compatible === 'true' || compatible === 'false'))
    return { metadata, isCompatible: compatible === 'true' };
  const name = format === undefined ? 'Accept' : '$format';
  const known = `application/json;odata.metadata=${LEVELS.join('|')};IEEE754Compatible=true|false`;
  throw httpError(406, `${name} asks for no available form. Answers are ${known}`);
}

/**
 * Checks that a client takes the text of a count; JSON is taken as well, because clients ask for it with everything.
 * @throws an error of status 406.
 */
export function assertText(accept = '*/*'): void {
  const taken = [...ACCEPTED, 'text/plain', 'text/*'];
  const ranges = accept.split(',').map(parseRange);
  if (ranges.some(({ type, quality }) => taken.includes(type) && quality > 0)) return;
  throw httpError(406, 'Accept asks for no available form. A count is text/plain');
}

export function mediaTypeOf({ metadata, isCompatible }: JsonForm): string {
  return `application/json;odata.metadata=${metadata};odata.streaming=true;IEEE754Compatible=${isCompatible};charset=utf-8`;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim().toLowerCase());
  const parameters = new Map(rest.map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']));
  const quality = parameters.get('q');
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0, parameters };
}

/** Returns the page size that a Prefer header asks for, if any. Unit: rows. */
export function parsePageSize(prefer: unknown): number | undefined {
  if (typeof prefer !== 'string' || prefer.length > MAX_PREFER_CHARACTERS) return undefined;
  const [, digits] = /(?:^|,)\s*(?:odata\.)?maxpagesize\s*=\s*"?([1-9]\d{0,8})"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
