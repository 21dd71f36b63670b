import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createScanner, type JsonLayout } from './json-scanner.ts';
import { MAX_RECORD_BYTES } from './relation.ts';
import { formatBrokenLine, keepBeginning, type SpoolFile, TOO_LONG } from './spool-file.ts';

/** The reasons for setting aside a record of a JSON file that can't be read. */
const REASONS = {
  bytes: "a text holds a character that isn't UTF-8",
  half: 'a text holds half of a character',
  escape: "a text holds an escape that JSON doesn't have",
  control: 'a text holds a control character',
  list: 'not an object',
} as const;

const [QUOTE, OPEN_BRACE, OPEN_BRACKET] = ['"', '{', '['].map((c) => c.charCodeAt(0));

/** Matches quotes, escapes, and characters that must be escaped. */
const TEXT_PARTS =
  /"|\\["\\/bfnrt]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\|\p{Cc}/gu;

/** Matches the escape of a UTF-16 surrogate. */
const HALF = /^\\u[dD][89a-fA-F]/;

/** A record whose texts are valid JSON, and the first reason why they weren't. */
interface MendedRecord {
  readonly text: string;
  readonly reason: string | undefined;
}

/**
 * Copies a JSON file. Each record that the engine would refuse becomes [reason, record], so that the others can be read.
 * @returns False if there is no such record, or the end of a record can't be found.
 */
export async function mendJson(path: string, layout: JsonLayout, output: SpoolFile): Promise<boolean> {
  const scanner = createScanner(layout);
  let isMended = false;
  let record: Buffer[] = [];
  let recordBytes = 0;
  const keep = (bytes: Buffer) => {
    recordBytes += bytes.length;
    // A record that is too long keeps only its beginning.
    if (recordBytes - bytes.length <= MAX_RECORD_BYTES) record.push(bytes);
  };
  const takeRecord = (): Buffer => {
    const whole = Buffer.concat(record);
    const isLarge = recordBytes > MAX_RECORD_BYTES;
    [record, recordBytes] = [[], 0];
    // An object around the list `data` may have other values.
    if (![QUOTE, OPEN_BRACE, OPEN_BRACKET].includes(whole[0]) || whole.at(-1) === OPEN_BRACKET) return whole;
    const { text, reason } = isLarge ? { text: keepBeginning(whole.toString()), reason: TOO_LONG } : mendRecord(whole);
    if (reason === undefined) return whole;
    isMended = true;
    return Buffer.from(formatBrokenLine(reason, text).trimEnd());
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const pieces: Buffer[] = [];
    let from = 0;
    let isInRecord = scanner.isInRecord();
    for (let at = 0; at < chunk.length; at += 1) {
      if (scanner.next(chunk[at] ?? 0) !== undefined) return false;
      if (scanner.isInRecord() === isInRecord) continue;
      isInRecord = !isInRecord;
      const end = isInRecord ? at : at + 1;
      const part = chunk.subarray(from, end);
      if (isInRecord) pieces.push(part);
      else {
        keep(part);
        pieces.push(takeRecord());
      }
      from = end;
    }
    const rest = chunk.subarray(from);
    if (isInRecord) keep(rest);
    else pieces.push(rest);
    await output.append(Buffer.concat(pieces));
  }
  return scanner.end() === undefined && isMended;
}

/** Replaces text that JSON can't hold: half of a character by \\ud800, a byte that isn't UTF-8 by \\xff. */
function mendRecord(record: Buffer): MendedRecord {
  let reason: string | undefined = record[0] === OPEN_BRACKET ? REASONS.list : undefined;
  let text = record.toString();
  if (!isUtf8(record)) {
    reason ??= REASONS.bytes;
    text = writeOutBytes(record);
  }
  let isInText = false;
  const mended = text.replaceAll(TEXT_PARTS, (part) => {
    if (part === '"') isInText = !isInText;
    else if (part === '\\') {
      reason ??= REASONS.escape;
      return '\\\\';
    } else if (HALF.test(part) && part.length === HALF_CHARACTERS) {
      reason ??= REASONS.half;
      return `\\${part}`;
    } else if (isInText && part < ' ') {
      reason ??= REASONS.control;
      return JSON.stringify(part).slice(1, -1);
    }
    return part;
  });
  return { text: mended, reason };
}

/** The length of \ud800; a whole pair is twice as long. */
const HALF_CHARACTERS = 6;

/** Decodes UTF-8, with every other byte as \\xff. */
function writeOutBytes(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = bytes.subarray(at, at + length);
    const isWhole = isUtf8(character);
    text += isWhole ? character.toString() : `\\\\x${lead.toString(16)}`;
    at += isWhole ? length : 1;
  }
  return text;
}
