import { readFile, writeFile } from 'node:fs/promises';
import { AppError, assertRegularFile, replaceFile } from '../../../base/index.ts';
import { type Damage, formatJournalLine, type JournalContent, readJournal } from './journal-lines.ts';

/** Returns the error of a journal that has lost answered writes. */
export function damageError(file: string, damage: Damage): AppError {
  return new AppError('storage', `The journal ${file} is damaged ${describeDamage(damage)}`, {
    hint: 'It contains confirmed writes, so nothing was changed. plumbline journal --check shows what can be read; plumbline journal --salvage keeps the file under another name and continues with its intact lines.',
  });
}

/** Describes a damage with its known losses: "at line 3, byte 812: ...". */
export function describeDamage({ line, byte, reason, missing }: Damage): string {
  const [first, last] = missing ?? [];
  const changes = first === last ? `change ${first}` : `changes ${first} to ${last}`;
  return `at line ${line}, byte ${byte}: ${reason}${missing ? `; missing: ${changes}` : ''}`;
}

/**
 * Reads a journal that has no writer; undefined if it doesn't exist.
 * @param last The database's last change.
 * @throws AppError input for a folder, pipe or device in its place.
 */
export async function checkJournal(
  file: string,
  last: number,
): Promise<(JournalContent & { bytes: number }) | undefined> {
  await assertRegularFile(file);
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return bytes && { bytes: bytes.length, ...readJournal(bytes, last) };
}

/**
 * Rewrites a journal with its intact lines that aren't in the database, in order.
 * A failure leaves one of the two files complete.
 * @param kept The path that keeps the damaged file.
 * @param content The result of checkJournal.
 */
export async function salvageJournal(
  file: string,
  kept: string,
  { waiting }: JournalContent,
  last: number,
): Promise<void> {
  const lines = waiting.map((entry, index) =>
    formatJournalLine({ ...entry, after: waiting[index - 1]?.change ?? last }),
  );
  await writeFile(kept, await readFile(file), { flag: 'wx', mode: 0o600, flush: true });
  await replaceFile(file, (next) => writeFile(next, lines.join(''), { mode: 0o600 }));
}
