import { createHash } from 'node:crypto';
import type { Insert } from './record-sql.ts';

/*
 * A line of a journal is a tab, a digest, JSON, the same digest again, and a line feed. JSON has neither tabs nor line feeds, so nothing that a
 * client sends looks like a line. A write that a crash has torn never has its own first digest at its end, so a line that has both and doesn't match
 * them was answered, and is damaged. Each line names the change before its first, so a line that is lost is missed.
 */

/** One write of a journal. */
export interface Entry {
  /** Its last change. */
  readonly change: number;
  /** The last change before it. */
  readonly after: number;
  readonly inserts: readonly Insert[];
}

/** A place in a journal, counted from 1 and from 0. */
interface Place {
  readonly line: number;
  readonly byte: number;
}

/** Something in a journal that is lost, and no trace of a write that was never answered. */
export interface Damage extends Place {
  /** The end of the sentence "The journal is damaged at line 3, byte 812: ". */
  readonly reason: string;
  /** Changes that are known to be missing, as the first and the last. */
  readonly missing?: readonly [number, number];
}

/** What a journal holds, seen from its database. */
export interface JournalContent {
  /** Whole lines of changes that the database has. */
  readonly applied: number;
  /** Writes that the database hasn't got, in order. */
  readonly waiting: readonly Entry[];
  /** Everything that is lost, in order. Empty: every answered write is there. */
  readonly damages: readonly Damage[];
}

/** What a line begins with. */
const MARK = '\t';

/** The length of a digest. Unit: characters. */
const DIGEST_CHARACTERS = 64;

/** What a line that was never finished begins with: some of it, or zeros where the disk has none of it yet. */
const BEGINNING = /^\t?[0-9a-f]{0,64}(?:\0|$)|^\t[0-9a-f]{64}\{/;

/** The end of an older line, behind a newer one that was written over its beginning. */
const OLD_END = /[0-9a-f]{64}$/;

/** Writes an entry as a line that shows by itself whether it is whole. */
export function formatLine(entry: Entry): string {
  const text = JSON.stringify(entry);
  const sum = digest(Buffer.from(text));
  return `${MARK}${sum}${text}${sum}\n`;
}

/**
 * Reads a journal.
 * @param last The last change that the database has: lines up to it may stand where no newer ones have been written over them.
 */
export function readJournal(bytes: Buffer, last: number): JournalContent {
  const waiting: Entry[] = [];
  const damages: Damage[] = [];
  let applied = 0;
  let before = last;
  let torn: Damage | undefined;
  const confirm = () => {
    if (torn) damages.push(torn);
    torn = undefined;
  };
  for (const { entry, isTorn, ...place } of splitLines(bytes)) {
    if (entry && entry.change <= last) applied += 1;
    else if (entry) {
      confirm();
      if (entry.after > before) noteMissing(damages, place, [before + 1, entry.after]);
      before = entry.change;
      waiting.push(entry);
    } else if (isTorn) torn ??= { ...place, reason: 'the line is not whole, though newer ones stand behind it' };
    else {
      confirm();
      damages.push({ ...place, reason: 'what stands there does not match its checksum' });
    }
  }
  return { applied, waiting, damages };
}

/** Notes missing changes at the damage before them, or where a whole line is gone. */
function noteMissing(damages: Damage[], place: Place, missing: readonly [number, number]): void {
  const before = damages.at(-1);
  if (before && !before.missing) damages.splice(-1, 1, { ...before, missing });
  else damages.push({ ...place, missing, reason: 'a line before it is gone' });
}

/** A line, or what stands in the place of one: it may then be the trace of a write that was never finished. */
interface FoundLine extends Place {
  readonly entry?: Entry;
  readonly isTorn?: boolean;
}

function* splitLines(bytes: Buffer): Generator<FoundLine> {
  // One character a byte, so that places are those of the file.
  const text = bytes.toString('latin1');
  let line = 1;
  for (let byte = 0; byte < text.length; line += 1) {
    const lineFeed = text.indexOf('\n', byte);
    const end = lineFeed < 0 ? text.length : lineFeed;
    const whole = findWhole(bytes, text, byte, end);
    if (whole?.byte !== byte) yield { line, byte, isTorn: isTorn(text.slice(byte, whole?.byte ?? end), lineFeed >= 0) };
    if (whole) yield { line, byte: whole.byte, entry: whole.entry };
    byte = (whole?.end ?? end) + 1;
  }
}

/** Finds the first whole line that begins between two bytes: what stood before it may have lost its line feed. */
function findWhole(
  bytes: Buffer,
  text: string,
  byte: number,
  end: number,
): { byte: number; entry: Entry; end: number } | undefined {
  for (let start = byte; start >= 0 && start < end; start = text.indexOf(MARK, start + 1)) {
    const whole = readWhole(bytes, text, start, end);
    if (whole) return { byte: start, ...whole };
  }
  return undefined;
}

/** Reads the line that begins at a byte, if its JSON matches one of its digests. @returns it, and where it ends. */
function readWhole(bytes: Buffer, text: string, byte: number, end: number): { entry: Entry; end: number } | undefined {
  const start = byte + MARK.length + DIGEST_CHARACTERS;
  const tailStart = end - DIGEST_CHARACTERS;
  const head = text.slice(byte + MARK.length, start);
  const isMarked = text[byte] === MARK && OLD_END.test(head);
  const again = isMarked ? text.indexOf(head, start) : -1;
  const candidates = [
    // Where the line feed is damaged, the line ends with its digest.
    ...(isMarked ? [{ sum: head, until: again, end: again + DIGEST_CHARACTERS }] : []),
    { sum: text.slice(tailStart, end), until: tailStart, end },
    ...(isMarked ? [{ sum: head, until: tailStart, end }] : []),
  ];
  for (const { sum, until, end: lineEnd } of candidates) {
    const json = bytes.subarray(start, Math.max(start, until));
    if (until > start && digest(json) === sum) return { entry: JSON.parse(json.toString('utf8')), end: lineEnd };
  }
  return undefined;
}

/** Whether a crash or a full disk may have left this of a write that was never answered, with or without older lines behind it. */
function isTorn(text: string, isEnded: boolean): boolean {
  const head = text.slice(MARK.length, MARK.length + DIGEST_CHARACTERS);
  const isFinished = text.length > 2 * DIGEST_CHARACTERS && OLD_END.test(head) && text.endsWith(head);
  return !isFinished && (BEGINNING.test(text) || (isEnded && OLD_END.test(text)));
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
