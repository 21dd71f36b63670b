import { createHash } from 'node:crypto';
import type { Insert } from './record-sql.ts';

/*
 * A line is a tab, a digest, JSON, the same digest and a line feed. JSON has no tabs or line feeds, so
 * nothing that a client sends looks like a line. A torn write never ends with its first digest, so a
 * line with both digests but other content was answered, and is damaged. Each line contains the
 * number of the preceding change, so that missing lines are detected.
 */

export interface Entry {
  readonly change: number;
  readonly after: number;
  readonly inserts: readonly Insert[];
}

/** A position in a journal: line counted from 1, byte from 0. */
interface LinePosition {
  readonly line: number;
  readonly byte: number;
}

/** Lost content of a journal that isn't the trace of an unanswered write. */
export interface Damage extends LinePosition {
  /** The end of the sentence "The journal is damaged at line 3, byte 812: ". */
  readonly reason: string;
  /** The first and the last change known to be missing. */
  readonly missing?: readonly [number, number];
}

export interface JournalContent {
  /** Number of intact lines whose changes are in the database. */
  readonly applied: number;
  /** Writes that aren't in the database, in order. */
  readonly waiting: readonly Entry[];
  /** Losses in order. Empty if every answered write exists. */
  readonly damages: readonly Damage[];
}

const MARK = '\t';

/** The length of a digest. Unit: characters. */
const DIGEST_CHARACTERS = 64;

/** The end of each line's JSON. */
const JSON_END = '}';

/** The start of a torn line: part of one, or zeros that the disk never overwrote. */
const BEGINNING = /^\t?[0-9a-f]{0,64}(?:\0|$)|^\t[0-9a-f]{64}\{/;

/** The end of an older line whose start was overwritten by a newer one. */
const OLD_END = /[0-9a-f]{64}$/;

export function formatJournalLine(entry: Entry): string {
  const text = JSON.stringify(entry);
  const sum = digest(Buffer.from(text));
  return `${MARK}${sum}${text}${sum}\n`;
}

/**
 * Reads a journal.
 * @param last The database's last change: lines up to it may remain until newer ones overwrite them.
 */
export function readJournal(bytes: Buffer, last: number): JournalContent {
  const waiting = new Map<number, Entry>();
  const damages: Damage[] = [];
  let applied = 0;
  let before = last;
  let torn: Damage | undefined;
  const confirm = () => {
    if (torn) damages.push(torn);
    torn = undefined;
  };
  for (const { entry: found, isUnmarked, isTorn, ...place } of splitLines(bytes)) {
    const entry = found && isUnmarked && found.change > last ? undefined : found;
    if (entry && entry.change <= last) applied += 1;
    else if (entry && waiting.has(entry.change)) {
      confirm();
      damages.push({ ...place, reason: `change ${entry.change} is in a line before it, too` });
    } else if (entry) {
      confirm();
      if (entry.after > before) noteMissing(damages, place, [before + 1, entry.after]);
      else if (entry.change < before) damages.push({ ...place, reason: `it comes behind change ${before}` });
      before = Math.max(before, entry.change);
      waiting.set(entry.change, entry);
    } else if (isTorn) torn ??= { ...place, reason: 'the line is incomplete, although newer ones follow it' };
    else {
      confirm();
      damages.push({ ...place, reason: 'its content does not match its checksum' });
    }
  }
  return { applied, waiting: [...waiting.values()].sort((one, other) => one.change - other.change), damages };
}

/** Adds missing changes to the damage before them, or as a damage of their own. */
function noteMissing(damages: Damage[], place: LinePosition, missing: readonly [number, number]): void {
  const before = damages.at(-1);
  if (before && !before.missing) damages.splice(-1, 1, { ...before, missing });
  else damages.push({ ...place, missing, reason: 'a line before it is missing' });
}

/** A line, or the bytes found in its place, possibly the trace of an unfinished write. */
interface FoundLine extends LinePosition {
  readonly entry?: Entry;
  /** The line has no mark: a write may have ended on that of an older one, and an editor may have taken it from any. */
  readonly isUnmarked?: boolean;
  readonly isTorn?: boolean;
}

function* splitLines(bytes: Buffer): Generator<FoundLine> {
  // Latin-1 has one character per byte, so that offsets match the file.
  const text = bytes.toString('latin1');
  let line = 1;
  for (let byte = 0; byte < text.length; line += 1) {
    const end = findLineEnd(text, byte);
    const whole = findWhole(bytes, text, byte, end);
    if (whole?.byte !== byte)
      yield { line, byte, isTorn: isTorn(text.slice(byte, whole?.byte ?? end), end < text.length) };
    if (whole) yield { line, byte: whole.byte, entry: whole.entry, isUnmarked: whole.isUnmarked ?? false };
    byte = (whole?.end ?? end) + 1;
  }
}

/**
 * Finds the end of the line at a byte: its second digest, or else the next line feed. A flipped bit can
 * make a line feed within the line, or remove the one behind it.
 */
function findLineEnd(text: string, byte: number): number {
  const start = byte + MARK.length + DIGEST_CHARACTERS;
  const head = text.slice(byte + MARK.length, start);
  if (text[byte] === MARK && OLD_END.test(head)) {
    const next = text.indexOf(MARK, start);
    const again = text.slice(start, next < 0 ? undefined : next).indexOf(`${JSON_END}${head}`);
    if (again >= 0) return start + again + JSON_END.length + DIGEST_CHARACTERS;
  }
  const lineFeed = text.indexOf('\n', byte);
  return lineFeed < 0 ? text.length : lineFeed;
}

/** Finds the first intact line that starts in a range; the text before it may lack its line feed. */
function findWhole(
  bytes: Buffer,
  text: string,
  byte: number,
  end: number,
): { byte: number; entry: Entry; end: number; isUnmarked?: boolean } | undefined {
  for (let start = byte; start >= 0 && start < end; start = text.indexOf(MARK, start + 1)) {
    const whole = readWhole(bytes, text, start);
    if (whole) return { byte: start, ...whole };
  }
  // A write may end where an older line lost only its mark. Other text before a line without a mark is an editor's.
  const line = text.slice(byte, end);
  const start = byte + line.indexOf(line.slice(-DIGEST_CHARACTERS));
  const isBehindWrite = BEGINNING.test(text.slice(byte, start));
  const whole = isBehindWrite ? readWhole(bytes, text, start - MARK.length, end) : undefined;
  return whole && { byte: Math.max(byte, start - MARK.length), isUnmarked: start === byte, ...whole };
}

/**
 * Reads the line at a byte if its JSON matches one of its digests.
 * @returns the entry and the line's end.
 */
function readWhole(
  bytes: Buffer,
  text: string,
  byte: number,
  end = findLineEnd(text, byte),
): { entry: Entry; end: number } | undefined {
  const start = byte + MARK.length + DIGEST_CHARACTERS;
  const until = end - DIGEST_CHARACTERS;
  if (until <= start) return undefined;
  const sums = [text.slice(byte + MARK.length, start), text.slice(until, end)];
  // Damaged content may have a mark in every place: only what looks like a line is hashed.
  if (!sums.some((sum) => OLD_END.test(sum))) return undefined;
  const json = bytes.subarray(start, until);
  const isWhole = sums.includes(digest(json));
  return isWhole ? { entry: JSON.parse(json.toString('utf8')), end } : undefined;
}

/**
 * Returns whether a crash or a full disk may have left this trace of an unanswered write,
 * possibly followed by older lines.
 */
function isTorn(text: string, isEnded: boolean): boolean {
  const ending = text.slice(-DIGEST_CHARACTERS);
  // Wherever its first digest is: an editor may have moved it.
  const isFinished = OLD_END.test(ending) && text.indexOf(ending) < text.length - DIGEST_CHARACTERS;
  return !isFinished && (BEGINNING.test(text) || (isEnded && OLD_END.test(text)));
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
