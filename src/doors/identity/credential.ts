import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * A secret text that its holder sends, such as plb_1f0c9a2b_...: its kind, the id of its entry, and 256 random bits.
 * Only its hash is kept.
 */

/** The kept part of a secret text. */
export interface Credential {
  readonly id: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
}

/** The kinds of secret texts: of a token, and of a session. */
type CredentialKind = 'plb' | 'pls';

/** The random part of a text. Unit: bytes. */
const SECRET_BYTES = 32;

/** The form of a text: its kind, the id and the secret. */
const SHAPE = /^pl[bs]_([0-9a-f]{8})_[\w-]{43}$/;

/** A secret text anywhere in another. */
const ANYWHERE = /(pl[bs])_[0-9a-f]{8}_[\w-]{43}/g;

export function hideCredentials(text: string): string {
  return text.includes('plb_') || text.includes('pls_') ? text.replaceAll(ANYWHERE, '$1_...') : text;
}

/** Makes the id of an entry, by which commands name it. */
export function makeEntryId(): string {
  return randomBytes(4).toString('hex');
}

/** Makes a secret text. @returns it, kept nowhere, and what is kept of it. */
export function makeCredential(kind: CredentialKind): { text: string; kept: Credential } {
  const id = makeEntryId();
  const text = `${kind}_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { text, kept: { id, hash: hashText(text).toString('hex') } };
}

export function findCredential<Entry extends Credential>(
  entries: ReadonlyMap<string, Entry>,
  text: string,
): Entry | undefined {
  const [, id = ''] = SHAPE.exec(text) ?? [];
  const entry = entries.get(id);
  return entry && timingSafeEqual(hashText(text), Buffer.from(entry.hash, 'hex')) ? entry : undefined;
}

/** Tells whether a value read from a file is what is kept of a secret text. */
export function isCredential({ id, hash }: Readonly<Record<string, unknown>>): boolean {
  return /^[0-9a-f]{8}$/.test(String(id)) && /^[0-9a-f]{64}$/.test(String(hash));
}

function hashText(text: string): Buffer {
  return digest('sha256', text, 'buffer');
}
