import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createSerialQueue, describeFileFailure, findInCause } from '../../base/database/index.ts';
import { AppError, replaceFile, systemCodeOf } from '../../base/index.ts';
import { openLock } from '../../store/generation/index.ts';

/** A kind of files with entries that give access, such as tokens. */
export interface EntryKind<Entry> {
  /** The name of the list in the file, and of its entries in errors. */
  readonly name: string;
  /** The command that lists and revokes the entries. */
  readonly command: string;
  /** Ways out of errors. */
  readonly hints: { readonly foreignFile: string; readonly other: string };
  isEntry(entry: unknown): entry is Entry;
}

/**
 * Reads the entries of a file; none if there is no file.
 * @throws AppError storage when it can't be read or isn't a list of entries.
 */
export async function readEntryFile<Entry>(kind: EntryKind<Entry>, file: string): Promise<Entry[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw entryFileError(kind, file, describeFileFailure(cause), cause);
  });
  if (text === undefined) return [];
  try {
    const entries = (JSON.parse(text) as Readonly<Record<string, unknown>>)[kind.name];
    if (Array.isArray(entries) && entries.every(kind.isEntry)) return entries;
  } catch (cause) {
    // The engine's reason quotes a part of the file, in which half a secret would be no secret to mask.
    throw entryFileError(kind, file, 'it is not JSON', cause);
  }
  throw entryFileError(kind, file, `it contains something other than ${kind.name}`, undefined);
}

/** Serializes changes by this process; the lock of the file excludes other processes. */
const inTurn = createSerialQueue();

/** Replaces the whole file, one change at a time: concurrent changes could lose a revocation. */
export function changeEntryFile<Entry>(
  kind: EntryKind<Entry>,
  file: string,
  change: (entries: readonly Entry[]) => readonly Entry[],
): Promise<void> {
  return inTurn(() => replaceEntries(kind, file, change));
}

/** Revokes an entry. @throws AppError unknown when none has the id. */
export async function revokeEntry<Entry extends { readonly id: string }>(
  kind: EntryKind<Entry>,
  file: string,
  id: string,
): Promise<void> {
  await changeEntryFile(kind, file, (entries) => {
    if (entries.some((entry) => entry.id === id)) return entries.filter((entry) => entry.id !== id);
    throw new AppError('unknown', `There is no ${kind.name.replace(/s$/, '')} "${id}" in ${file}`, {
      hint: `plumbline ${kind.command} list shows the ${kind.name} and their ids.`,
    });
  });
}

async function replaceEntries<Entry>(
  kind: EntryKind<Entry>,
  file: string,
  change: (entries: readonly Entry[]) => readonly Entry[],
): Promise<void> {
  const conflict = { message: `${file} is being changed by another process`, hint: 'Try again.' };
  const lock = await openLock(file, conflict).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'busy'
      ? error
      : entryFileError(kind, file, describeFileFailure(error), error);
  });
  try {
    const entries = change(await readEntryFile(kind, file));
    const text = `${JSON.stringify({ [kind.name]: entries }, null, 2)}\n`;
    await replaceFile(file, (next) => writeFile(next, text, { mode: 0o600 }));
  } catch (error) {
    throw error instanceof AppError ? error : entryFileError(kind, file, describeFileFailure(error), error);
  } finally {
    await lock.close();
  }
}

function entryFileError(
  { name, hints }: Pick<EntryKind<unknown>, 'name' | 'hints'>,
  file: string,
  reason: string,
  cause: unknown,
): AppError {
  const foreign = isForbidden(cause) ? findForeignFile([file, `${file}.lock`]) : undefined;
  return new AppError('storage', `Can't use the ${name} in ${file}: ${foreign ?? reason}`, {
    hint: foreign === undefined ? hints.other : hints.foreignFile,
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
