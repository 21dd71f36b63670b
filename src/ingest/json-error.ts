import { createReadStream } from 'node:fs';

/** The position of a JSON syntax error. Lines and columns count from 1, columns in characters. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** lines: one value per line. values: values in sequence. array: one array. */
export type JsonLayout = 'lines' | 'array' | 'values';

const [QUOTE, BACKSLASH, COMMA, COLON, LINE_FEED] = ['"', '\\', ',', ':', '\n'].map((c) => c.charCodeAt(0));
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = ['{', '}', '[', ']'].map((c) => c.charCodeAt(0));
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const LITERAL_ENDS: ReadonlySet<number | undefined> = new Set([...BLANKS, COMMA, COLON, CLOSE_BRACE, CLOSE_BRACKET]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Matches numbers and words; NaN and Infinity too, which no field accepts as a value. */
const LITERAL = /^(true|false|null|-?(nan|inf|infinity)|-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]+)?)$/i;

/** The longest number or word. Unit: characters. */
const MAX_LITERAL_CHARACTERS = 4096;

/** Finds the first JSON syntax error of a file in one pass, in constant memory. */
export async function findJsonError(path: string, layout: JsonLayout): Promise<JsonError | undefined> {
  const scanner = createScanner(layout);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      const problem = scanner.next(byte);
      if (problem) return { ...scanner.position(), problem };
    }
  }
  const problem = scanner.end();
  return problem ? { ...scanner.position(), problem } : undefined;
}

/** Creates a scanner that takes a file byte by byte and returns the error at each byte, if any. */
function createScanner(layout: JsonLayout) {
  const cursor = createCursor();
  const open: number[] = []; // the brackets not yet closed
  let inText: 'no' | 'text' | 'escape' = 'no';
  let literal = '';
  let expected: 'value' | 'key' | 'colon' | 'more' = 'value';
  let last: number | undefined; // the first byte of the previous token

  function next(byte: number): string | undefined {
    const problem = cursor.next(byte);
    if (problem || cursor.isMark()) return problem;
    if (inText !== 'no') return nextOfText(byte);
    if (literal !== '') {
      if (!LITERAL_ENDS.has(byte)) {
        literal += String.fromCharCode(byte);
        return literal.length > MAX_LITERAL_CHARACTERS ? 'a value that is too long' : undefined;
      }
      if (!LITERAL.test(literal)) return `${literal.slice(0, 20)} is not a value`;
      literal = '';
      expected = 'more';
    }
    if (byte === LINE_FEED && layout === 'lines') return nextLine();
    return BLANKS.has(byte) ? undefined : nextToken(byte);
  }

  function nextOfText(byte: number): string | undefined {
    if (byte < 0x20) return byte === LINE_FEED ? 'the line ends inside a text' : 'a control character inside a text';
    if (inText === 'escape') inText = 'text';
    else if (byte === BACKSLASH) inText = 'escape';
    else if (byte === QUOTE) {
      inText = 'no';
      expected = expected === 'key' ? 'colon' : 'more';
    }
    return undefined;
  }

  function nextLine(): string | undefined {
    if (open.length > 0) return 'the line ends inside a record';
    expected = 'value';
    return undefined;
  }

  function nextToken(byte: number): string | undefined {
    const around = open.at(-1);
    const before = last;
    last = byte;
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const isPair = byte === CLOSE_BRACE ? around === OPEN_BRACE : around === OPEN_BRACKET;
      if (!isPair || expected === 'colon' || (expected === 'value' && byte === CLOSE_BRACE)) return unexpected(byte);
      if (before === COMMA) return `${unexpected(byte)}: a value is missing, or there is an extra comma`;
      open.pop();
      expected = 'more';
    } else if (expected === 'more' && around !== undefined) {
      if (byte !== COMMA) return `${unexpected(byte)}: a comma is missing, or a bracket before it`;
      expected = around === OPEN_BRACE ? 'key' : 'value';
    } else if (expected === 'more' && layout !== 'values') {
      return `${unexpected(byte)} after the end of the ${layout === 'lines' ? 'record' : 'list'}`;
    } else if (expected === 'colon') {
      if (byte !== COLON) return unexpected(byte);
      expected = 'value';
    } else return nextValue(byte);
    return undefined;
  }

  function nextValue(byte: number): string | undefined {
    if (layout === 'array' && open.length === 0 && byte !== OPEN_BRACKET)
      return `${unexpected(byte)}: a list is expected`;
    if (byte === QUOTE) {
      if (expected === 'more') expected = 'value';
      inText = 'text';
    } else if (expected === 'key') return unexpected(byte);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      open.push(byte);
      expected = byte === OPEN_BRACE ? 'key' : 'value';
    } else if (byte === COMMA || byte === COLON) return unexpected(byte);
    else literal = String.fromCharCode(byte);
    return undefined;
  }

  function end(): string | undefined {
    if (inText !== 'no') return 'the file ends inside a text';
    if (open.length > 0) return 'the file ends before everything is closed: it is cut off';
    return literal !== '' && !LITERAL.test(literal) ? `${literal.slice(0, 20)} is not a value` : undefined;
  }

  return { next, end, position: cursor.position };
}

/** Creates a cursor that counts lines and columns, and checks that the bytes are UTF-8. */
function createCursor() {
  let line = 1;
  let column = 0;
  let last: number | undefined;
  let following = 0; // the bytes still missing from the current character
  let markBytes = 0; // bytes read of the byte order mark; Infinity once there is none

  return {
    next(byte: number): string | undefined {
      if (markBytes < BYTE_ORDER_MARK.length)
        markBytes = byte === BYTE_ORDER_MARK[markBytes] ? markBytes + 1 : Number.POSITIVE_INFINITY;
      else markBytes = Number.POSITIVE_INFINITY;
      if (markBytes <= BYTE_ORDER_MARK.length) return undefined;
      if (last === LINE_FEED) {
        line += 1;
        column = 0;
      }
      last = byte;
      const isFollowing = (byte & 0xc0) === 0x80;
      if (!isFollowing) column += 1;
      if (isFollowing !== following > 0 || byte > 0xf4) return "a character that isn't UTF-8";
      following = isFollowing ? following - 1 : followingBytes(byte);
      return undefined;
    },
    isMark: () => markBytes <= BYTE_ORDER_MARK.length,
    position: () => ({ line, column: Math.max(column, 1) }),
  };
}

function followingBytes(lead: number): number {
  if (lead < 0xc0) return 0;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}

function unexpected(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `unexpected ${String.fromCharCode(byte)}` : 'an unexpected character';
}
