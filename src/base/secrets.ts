/**
 * The secrets of this process: tokens, passwords and keys that it sends to others. They are kept in one place, so that each
 * text that is shown can be searched for them, whoever wrote it.
 */
const secrets = new Set<string>();

/** The shortest secret that is masked: the letters of a shorter one are in every sentence. Unit: characters. */
export const MIN_SECRET_CHARACTERS = 4;

/** The most secrets that are known at once: a token is read again from its file, which may change for months. */
export const MAX_SECRETS = 100;

const MASK = '***';

/** Matches the user and password of an address, such as "user:password@" in https://user:password@example.com. */
const USER_INFO = /\/\/[^/\s]*@/g;

let pattern: RegExp | undefined;

/** Registers a text that must never be shown. After MAX_SECRETS others it is forgotten, unless it is added again. */
export function addSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length < MIN_SECRET_CHARACTERS) return;
  const isKnown = secrets.delete(secret);
  secrets.add(secret);
  if (isKnown) return;
  const [oldest = ''] = secrets;
  if (secrets.size > MAX_SECRETS) secrets.delete(oldest);
  pattern = undefined;
}

/** Masks the registered secrets, in whatever letter case and encoding they are, and the passwords of addresses. */
export function maskSecrets(text: string): string {
  const masked = text.replace(USER_INFO, `//${MASK}@`);
  if (secrets.size === 0) return masked;
  pattern ??= secretsPattern();
  return masked.replace(pattern, MASK);
}

/** Returns a pattern of all secrets, the longest first: a secret may begin another. */
function secretsPattern(): RegExp {
  const forms = [...secrets].flatMap((secret) => [secret, encodeBase64(secret)]);
  const longestFirst = forms.sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map((form) => [...form].map(formsOf).join('')).join('|'), 'gi');
}

/** Returns base64 without its padding, which a text may leave out. */
function encodeBase64(secret: string): string {
  return Buffer.from(secret)
    .toString('base64')
    .replace(/={1,2}$/, '');
}

/** Returns the pattern of a character: itself, or as addresses and JSON encode it. */
function formsOf(character: string): string {
  const escaped = character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
  const url = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const json = `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const quoted = character === '"' || character === '\\' ? [`\\\\${escaped}`] : [];
  return `(?:${[...quoted, json, url, escaped].join('|')})`;
}
