import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { endOfDayMs } from '../calendar/day.ts';
import { formatZonedTime } from '../database/database.ts';
import { describeFileFailure, findInCause } from '../database/engine-errors.ts';
import { createSerialQueue } from '../database/serial-queue.ts';
import { AppError, systemCodeOf } from '../error.ts';
import { openLock } from '../generation/generation-lock.ts';
import { replaceFile } from '../replace-file.ts';
import { isPart, type ReaderPart } from '../report/source/part-views.ts';
import { isDay } from '../resource/field.ts';

/** Permissions of a token. */
export const SCOPES = ['reports', 'rates', 'sql', 'write', 'close', 'load', 'deliver'] as const;

/** Those that a token of a part may have: all others are about all data. */
export const PART_SCOPES: readonly Scope[] = ['reports', 'rates'];

/** Those that a rule of access.yaml may give: people who sign in read, and write nothing. */
export const SIGN_IN_SCOPES: readonly Scope[] = ['reports', 'rates', 'sql', 'deliver'];

export type Scope = (typeof SCOPES)[number];

/** A stored token: only its hash, never the token itself. */
export interface Token {
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly created_at: string;
  /** The last day of validity, in UTC; null for none. */
  readonly expires: string | null;
  /** The part of the data that the token sees. Absent: all. */
  readonly only?: ReaderPart;
  /** True to answer records with the decimals of the live service (4.1). Absent: the server's setting. */
  readonly numbers?: boolean;
}

/** The random part of a token. Unit: bytes. */
const SECRET_BYTES = 32;

/** The form of a token: plb_, its id and its secret. */
const SHAPE = /^plb_([0-9a-f]{8})_[\w-]{43}$/;

/** A token anywhere in a text. */
const ANYWHERE = /plb_[0-9a-f]{8}_[\w-]{43}/g;

/** Masks the tokens in a text. */
export function hideTokens(text: string): string {
  return text.includes('plb_') ? text.replaceAll(ANYWHERE, 'plb_...') : text;
}

/**
 * Reads the tokens of a file; none if there is no file.
 * @throws AppError storage when it can't be read or isn't a list of tokens.
 */
export async function readTokens(file: string): Promise<Token[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '{"tokens":[]}';
    throw tokenFileError(file, describeFileFailure(cause), cause);
  });
  try {
    const { tokens } = JSON.parse(text) as { tokens: unknown };
    if (Array.isArray(tokens) && tokens.every(isToken)) return tokens;
  } catch (cause) {
    // The engine's reason quotes a part of the file, in which half a secret would be no secret to mask.
    throw tokenFileError(file, 'it is not JSON', cause);
  }
  throw tokenFileError(file, 'it contains something other than tokens', undefined);
}

/** Creates a token and stores its hash. @returns the token itself, stored nowhere, and its entry. */
export async function createToken(
  file: string,
  { label, scopes, expires, only, numbers }: Pick<Token, 'label' | 'scopes' | 'expires' | 'only' | 'numbers'>,
  now: Date,
): Promise<{ token: string; kept: Token }> {
  const id = randomBytes(4).toString('hex');
  const token = `plb_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const created_at = formatZonedTime(now);
  const kept = {
    id,
    label,
    scopes,
    hash: hashToken(token).toString('hex'),
    created_at,
    expires,
    ...(only && { only }),
    ...(numbers ? { numbers } : {}),
  };
  await changeTokens(file, (tokens) => [...tokens, kept]);
  return { token, kept };
}

/** Revokes a token. @throws AppError unknown when no token has the id. */
export async function revokeToken(file: string, id: string): Promise<void> {
  await changeTokens(file, (tokens) => {
    if (tokens.some((token) => token.id === id)) return tokens.filter((token) => token.id !== id);
    throw new AppError('unknown', `There is no token "${id}" in ${file}`, {
      hint: 'plumbline token list shows the tokens and their ids.',
    });
  });
}

/** Returns the stored entry of a token if it is valid today. */
export function findToken(tokens: ReadonlyMap<string, Token>, text: string, now: Date): Token | undefined {
  const [, id = ''] = SHAPE.exec(text) ?? [];
  const token = tokens.get(id);
  if (!token || !timingSafeEqual(hashToken(text), Buffer.from(token.hash, 'hex'))) return undefined;
  return isTokenExpired(token, now) ? undefined : token;
}

export function isTokenExpired(token: Token, now: Date): boolean {
  return now.getTime() >= endOfToken(token);
}

/** Returns the end of a token's last day; infinity without one. Unit: ms since 1970. */
export function endOfToken({ expires }: Token): number {
  return expires === null ? Number.POSITIVE_INFINITY : endOfDayMs(expires);
}

function hashToken(text: string): Buffer {
  return digest('sha256', text, 'buffer');
}

/** Serializes changes by this process; the lock of the file excludes other processes. */
const inTurn = createSerialQueue();

/** Replaces the whole file, one change at a time: concurrent changes could lose a revocation. */
function changeTokens(file: string, change: (tokens: readonly Token[]) => readonly Token[]): Promise<void> {
  return inTurn(() => replaceTokens(file, change));
}

async function replaceTokens(file: string, change: (tokens: readonly Token[]) => readonly Token[]): Promise<void> {
  const conflict = { message: `${file} is being changed by another process`, hint: 'Try again.' };
  const lock = await openLock(file, conflict).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'busy'
      ? error
      : tokenFileError(file, describeFileFailure(error), error);
  });
  try {
    const tokens = change(await readTokens(file));
    const text = `${JSON.stringify({ tokens }, null, 2)}\n`;
    await replaceFile(file, (next) => writeFile(next, text, { mode: 0o600 }));
  } catch (error) {
    throw error instanceof AppError ? error : tokenFileError(file, describeFileFailure(error), error);
  } finally {
    await lock.close();
  }
}

function isToken(entry: unknown): entry is Token {
  const { id, label, scopes, hash, expires, only, numbers } = (entry ?? {}) as Record<string, unknown>;
  return (
    /^[0-9a-f]{8}$/.test(String(id)) &&
    typeof label === 'string' &&
    Array.isArray(scopes) &&
    scopes.every((scope) => (SCOPES as readonly unknown[]).includes(scope)) &&
    /^[0-9a-f]{64}$/.test(String(hash)) &&
    (expires === null || isDay(String(expires))) &&
    (only === undefined || (isPart(only) && scopes.every((scope) => PART_SCOPES.includes(scope)))) &&
    (numbers === undefined || typeof numbers === 'boolean')
  );
}

function tokenFileError(file: string, reason: string, cause: unknown): AppError {
  const foreign = isForbidden(cause) ? findForeignFile([file, `${file}.lock`]) : undefined;
  if (foreign !== undefined) {
    return new AppError('storage', `Can't use the tokens in ${file}: ${foreign}`, {
      hint: 'Make tokens as the user that runs the server: sudo -u USER plumbline token create. Give that user what another has made: sudo chown USER FILE.',
      cause,
    });
  }
  return new AppError('storage', `Can't use the tokens in ${file}: ${reason}`, {
    hint: 'Check that plumbline token made the file and that you may read and write it, or name another with --tokens.',
    cause,
  });
}

function isForbidden(cause: unknown): boolean {
  return systemCodeOf(cause) === 'EACCES' || findInCause(cause, 'forbidden') !== undefined;
}

/** Describes the first of some files that belongs to another user than that of this process. */
function findForeignFile(files: readonly string[]): string | undefined {
  const user = process.geteuid?.();
  for (const file of files) {
    const owner = statSync(file, { throwIfNoEntry: false })?.uid;
    if (owner !== undefined && owner !== user)
      return `${file} belongs to ${formatUser(owner)}, and this program runs as ${formatUser(user)}`;
  }
  return undefined;
}

function formatUser(id: number | undefined): string {
  return id === 0 ? 'root' : `the user with the id ${id}`;
}
