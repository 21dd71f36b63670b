import { createHash } from 'node:crypto';

/** A digest that two versions never share. Unit: characters of base64. */
const ETAG_CHARACTERS = 27;

/** Whether an If-None-Match header names a version; "*" names any. */
export function isSame(header: string | undefined, etag: string): boolean {
  return header === '*' || (header?.includes(etag) ?? false);
}

/** The version of an answer, as the header has it. */
export function makeEtag(parts: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, ETAG_CHARACTERS)}"`;
}
