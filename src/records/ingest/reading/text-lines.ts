import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { AppError } from '../../../base/index.ts';
import { type Encoding, readEncoding } from './encoding.ts';

/** The longest line of a CSV file. Unit: characters. */
export const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/** Lines of a text, without the characters that end them; a carriage return before a line feed stays. */
export interface LineBatch {
  readonly lines: string[];
  readonly isLast: boolean;
}

export interface TextFile {
  readonly encoding: Encoding;
  /** Reads its lines from the first one. @throws AppError input for bytes that are no text, or for a line over the limit. */
  lines(): AsyncGenerator<LineBatch>;
}

/** Opens a text file. @param name For messages. */
export async function openText(path: string, name: string): Promise<TextFile> {
  const encoding = await readEncoding(path);
  return { encoding, lines: () => readLines(path, name, encoding) };
}

/** Yields lines in batches, without byte order mark. */
async function* readLines(path: string, name: string, encoding: Encoding): AsyncGenerator<LineBatch> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let rest = '';
  let lineCount = 0;
  let end: string | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const text = rest + decode(decoder, chunk, name, lineCount);
    end ??= endOfLines(text);
    const lines = text.split(end ?? '\n');
    rest = lines.pop() ?? '';
    lineCount += lines.length;
    if (rest.length > MAX_LINE_CHARACTERS) throw lineTooLong(name, lineCount + 1);
    yield { lines, isLast: false };
  }
  yield { lines: [rest + decode(decoder, undefined, name, lineCount)], isLast: true };
}

/**
 * Returns the character that ends the lines of a text: a carriage return if one ends the first line alone, as old Macs wrote it.
 * @returns undefined if the text has no whole line.
 */
function endOfLines(text: string): string | undefined {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (text[at] === '\n') return '\n';
    if (text[at] === '\r' && at + 1 < text.length && text[at + 1] !== '\n') return '\r';
  }
  return undefined;
}

function decode(decoder: TextDecoder, chunk: Buffer | undefined, name: string, linesBefore: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (cause) {
    const lines = chunk?.toString('latin1').split('\n') ?? [];
    const bad = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
    throw textError(
      name,
      `isn't UTF-8 text: see line ${linesBefore + Math.max(bad, 0) + 1}`,
      'Save it as UTF-8.',
      cause,
    );
  }
}

function lineTooLong(name: string, line: number): AppError {
  const problem = `has more than ${MAX_LINE_CHARACTERS} characters in line ${line}`;
  return textError(name, problem, 'Check that it is a CSV file with one record per line.');
}

function textError(name: string, problem: string, hint: string, cause?: unknown): AppError {
  return new AppError('input', `${name} ${problem}`, { hint, cause });
}
