import { endOfDayMs, isDay } from '../../base/calendar/index.ts';
import { formatZonedTime } from '../../base/database/index.ts';
import { isPart, type PartFilters } from '../../numbers/report/source/index.ts';
import { type Credential, findCredential, isCredential, makeCredential } from './credential.ts';
import { changeEntryFile, type EntryKind, readEntryFile, revokeEntry } from './entry-file.ts';

export const SCOPES = ['reports', 'rates', 'sql', 'preview', 'progress', 'write', 'close', 'load', 'deliver'] as const;

/** Those that a reader of a part may have: all others are about all data. */
export const PART_SCOPES: readonly Scope[] = ['reports', 'rates', 'progress'];

/** Those that a rule of access.yaml may give: people who sign in read, and write nothing but progress. */
export const SIGN_IN_SCOPES: readonly Scope[] = ['reports', 'rates', 'sql', 'preview', 'progress', 'deliver'];

export type Scope = (typeof SCOPES)[number];

/** A stored token: only its hash, never the token itself. */
export interface Token extends Credential {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  /** The last day of validity, in UTC; null for none. */
  readonly expires: string | null;
  /** The part of the data that the token sees. Absent: all. */
  readonly only?: PartFilters;
  /** True to answer records with the decimals of the live service (4.1). Absent: the server's setting. */
  readonly numbers?: boolean;
}

const TOKENS: EntryKind<Token> = {
  name: 'tokens',
  command: 'token',
  hints: {
    foreignFile:
      'Make tokens as the user that runs the server: sudo -u USER plumbline token create. Give that user what another has made: sudo chown USER FILE.',
    other:
      'Check that plumbline token made the file and that you may read and write it, or name another with --tokens.',
  },
  isEntry: isToken,
};

/**
 * Reads the tokens of a file; none if there is no file.
 * @throws AppError storage when it can't be read or isn't a list of tokens.
 */
export function readTokens(file: string): Promise<Token[]> {
  return readEntryFile(TOKENS, file);
}

/** Creates a token and stores its hash. @returns the token itself, stored nowhere, and its entry. */
export async function createToken(
  file: string,
  { label, scopes, expires, only, numbers }: Pick<Token, 'label' | 'scopes' | 'expires' | 'only' | 'numbers'>,
  now: Date,
): Promise<{ token: string; kept: Token }> {
  const { text, kept: credential } = makeCredential('plb');
  const { id, hash } = credential;
  const created_at = formatZonedTime(now);
  const kept = {
    id,
    label,
    scopes,
    hash,
    created_at,
    expires,
    ...(only && { only }),
    ...(numbers ? { numbers } : {}),
  };
  await changeEntryFile(TOKENS, file, (tokens) => [...tokens, kept]);
  return { token: text, kept };
}

/** Revokes a token. @throws AppError unknown when no token has the id. */
export function revokeToken(file: string, id: string): Promise<void> {
  return revokeEntry(TOKENS, file, id);
}

/** Returns the stored entry of a token if it is valid today. */
export function findToken(tokens: ReadonlyMap<string, Token>, text: string, now: Date): Token | undefined {
  const token = findCredential(tokens, text);
  return token && !isTokenExpired(token, now) ? token : undefined;
}

export function isTokenExpired(token: Token, now: Date): boolean {
  return now.getTime() >= endOfToken(token);
}

/** Returns the end of a token's last day; infinity without one. Unit: ms since 1970. */
export function endOfToken({ expires }: Token): number {
  return expires === null ? Number.POSITIVE_INFINITY : endOfDayMs(expires);
}

function isToken(entry: unknown): entry is Token {
  const given = (entry ?? {}) as Record<string, unknown>;
  const { label, scopes, expires, only, numbers } = given;
  return (
    isCredential(given) &&
    typeof label === 'string' &&
    Array.isArray(scopes) &&
    scopes.every((scope) => (SCOPES as readonly unknown[]).includes(scope)) &&
    (expires === null || isDay(String(expires))) &&
    (only === undefined || (isPart(only) && scopes.every((scope) => PART_SCOPES.includes(scope)))) &&
    (numbers === undefined || typeof numbers === 'boolean')
  );
}
