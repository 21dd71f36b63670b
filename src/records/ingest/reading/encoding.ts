import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';

/** The encodings of texts that are read, by the platform's names for them. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The names of encodings for people; Latin-1 is the part of Windows-1252 without characters of its own. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252 (or Latin-1)',
};

const CHUNK_BYTES = 1024 * 1024;

/** Matches a character of several bytes in UTF-8, which texts in Windows-1252 hardly ever hold. */
const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** Matches bytes that no text in Windows-1252 holds: those without a character, and controls. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these bytes tell texts from other files.
const NO_TEXT = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\x81\x8d\x8f\x90\x9d]/;

/**
 * Tells the encoding of a text file: by its byte order mark, or UTF-8 if all of it is that. Otherwise it is Windows-1252, if it holds
 * nothing but its characters and no character of UTF-8; a text with both is damaged, and counts as UTF-8, so that its fault is found.
 */
export async function readEncoding(path: string): Promise<Encoding> {
  let [isFirst, isSound, isMixed] = [true, true, false];
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const marked = isFirst ? markedEncoding(chunk) : undefined;
    if (marked !== undefined) return marked;
    isFirst = false;
    const bytes = Buffer.concat([rest, chunk]);
    const end = lastAscii(bytes) + 1;
    rest = bytes.subarray(end);
    const whole = bytes.subarray(0, end);
    if (isSound && isUtf8(whole)) continue;
    isSound = false;
    const text = whole.toString('latin1');
    isMixed ||= MULTIBYTE.test(text) || NO_TEXT.test(text);
  }
  const last = rest.toString('latin1');
  if (isSound && isUtf8(rest)) return 'utf-8';
  return isMixed || MULTIBYTE.test(last) || NO_TEXT.test(last) ? 'utf-8' : 'windows-1252';
}

function markedEncoding(bytes: Buffer): Encoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 'utf-8' : undefined;
}

/** Returns the place of the last byte that is a character by itself; -1 without one. */
function lastAscii(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && (bytes[at] ?? 0) >= 0x80) at -= 1;
  return at;
}
