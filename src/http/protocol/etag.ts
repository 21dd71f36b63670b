import { createHash } from 'node:crypto';

/** Length at which digests don't collide. Unit: characters of base64. */
const ETAG_CHARACTERS = 27;

/** Returns whether an If-None-Match header names a version; "*" names any. */
export function isSame(header: string | undefined, etag: string): boolean {
  return header === '*' || (header?.includes(etag) ?? false);
}

/** Makes the ETag of an answer. */
export function makeEtag(parts: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, ETAG_CHARACTERS)}"`;
}
