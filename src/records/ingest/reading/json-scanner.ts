/** lines: one value per line. values: values in sequence. array: one array. */
export type JsonLayout = 'lines' | 'array' | 'values';

const [QUOTE, BACKSLASH, COMMA, COLON, LINE_FEED] = ['"', '\\', ',', ':', '\n'].map((c) => c.charCodeAt(0));
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = ['{', '}', '[', ']'].map((c) => c.charCodeAt(0));
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const LITERAL_ENDS: ReadonlySet<number | undefined> = new Set([...BLANKS, COMMA, COLON, CLOSE_BRACE, CLOSE_BRACKET]);
/** The key of the list of records in a wrapping object. */
const LIST_KEY = 'data';

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Matches numbers and words; NaN and Infinity too, which no field accepts as a value. */
const LITERAL = /^(true|false|null|-?(nan|inf|infinity)|-?(0|[1-9][0-9]*)([.][0-9]+)?(e[+-]?[0-9]+)?)$/i;

/** The longest number or word. Unit: characters. */
const MAX_LITERAL_CHARACTERS = 4096;

/** A scanner that takes a file byte by byte. */
export interface JsonScanner {
  /** Takes the next byte. @returns the error there, if any. */
  next(byte: number): string | undefined;
  /** Takes the end of the file. @returns the error there, if any. */
  end(): string | undefined;
  /** Returns whether the last byte is inside a record: a text, a list or an object. */
  isInRecord(): boolean;
  /** Returns the place of the last byte. */
  position(): { readonly line: number; readonly column: number };
}

/** Creates a scanner. It finds the end of each text, and doesn't check the characters in it. */
export function createScanner(layout: JsonLayout): JsonScanner {
  const cursor = createCursor();
  const open: number[] = []; // the brackets not yet closed
  let inText: 'no' | 'text' | 'escape' = 'no';
  let literal = '';
  let expected: 'value' | 'key' | 'colon' | 'more' = 'value';
  let last: number | undefined; // the first byte of the previous token
  let key = ''; // the last key of the outermost object, or its beginning
  let isWrapped = false; // true inside the list `data` of the outermost object

  function next(byte: number): string | undefined {
    if (cursor.next(byte)) return undefined;
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
    if (byte === LINE_FEED) return 'the line ends inside a text';
    if (inText === 'text' && byte === QUOTE) {
      inText = 'no';
      expected = expected === 'key' ? 'colon' : 'more';
    } else {
      inText = inText === 'text' && byte === BACKSLASH ? 'escape' : 'text';
      if (expected === 'key' && open.length === 1 && key.length <= LIST_KEY.length) key += String.fromCharCode(byte);
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
      isWrapped &&= open.length > 1;
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
      if (expected === 'key' && open.length === 1) key = '';
    } else if (expected === 'key') return unexpected(byte);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (layout === 'values' && byte === OPEN_BRACKET && open.length === 1 && key === LIST_KEY) isWrapped = true;
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

  function isInRecord(): boolean {
    const around = isWrapped ? 2 : layout === 'array' ? 1 : 0;
    return open.length > around || (open.length === around && inText !== 'no');
  }

  return { next, end, isInRecord, position: cursor.position };
}

function createCursor() {
  let line = 1;
  let column = 0;
  let last: number | undefined;
  let markBytes = 0; // bytes read of the byte order mark; Infinity once there is none

  return {
    /** Takes the next byte. @returns true if it is one of the byte order mark. */
    next(byte: number): boolean {
      if (markBytes < BYTE_ORDER_MARK.length)
        markBytes = byte === BYTE_ORDER_MARK[markBytes] ? markBytes + 1 : Number.POSITIVE_INFINITY;
      else markBytes = Number.POSITIVE_INFINITY;
      if (markBytes <= BYTE_ORDER_MARK.length) return true;
      if (last === LINE_FEED) {
        line += 1;
        column = 0;
      }
      last = byte;
      // Bytes after the first of a character count with it.
      if ((byte & 0xc0) !== 0x80) column += 1;
      return false;
    },
    position: () => ({ line, column: Math.max(column, 1) }),
  };
}

function unexpected(byte: number): string {
  return byte > 0x20 && byte < 0x7f ? `unexpected ${String.fromCharCode(byte)}` : 'an unexpected character';
}
