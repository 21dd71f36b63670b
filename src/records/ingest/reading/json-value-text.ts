import { AppError } from '../../../base/index.ts';

/** The longest record in a JSON file of another service. Unit: characters. */
export const MAX_JSON_RECORD_CHARACTERS = 16_777_216;

/** The most members of such a record, those of objects in it among them. Unit: members. */
export const MAX_RECORD_MEMBERS = 16_384;

/** The most lists and objects inside each other in such a record. Unit: levels. */
export const MAX_RECORD_DEPTH = 64;

/** The text of one JSON value that comes in pieces. */
export interface ValueText {
  /**
   * Takes a piece from a place on.
   * @returns the whole text, and the characters of this piece that are part of it; undefined if it goes on.
   * @throws AppError limit for a value that is too large.
   */
  add(piece: string, from: number): { readonly text: string; readonly characters: number } | undefined;
  /** Takes the end of all text. @returns the whole text. */
  end(): string;
}

const [QUOTE, BACKSLASH, COLON] = ['"', '\\', ':'].map((c) => c.charCodeAt(0));
const OPENING: ReadonlySet<number> = new Set(['[', '{'].map((c) => c.charCodeAt(0)));
const CLOSING: ReadonlySet<number> = new Set([']', '}'].map((c) => c.charCodeAt(0)));

/** Matches what ends a number or a word. */
const PLAIN_END = /[\s,\]}]/g;

/**
 * Opens the text of a value: it finds its end, and checks nothing else.
 * @param name The file, for messages. @param entry The number of the entry. @param first Its first character.
 */
export function openValueText(name: string, entry: number, first: number): ValueText {
  const parts: string[] = [];
  const isPlain = first !== QUOTE && !OPENING.has(first);
  let [length, depth, members] = [0, 0, 0];
  let [isInText, isEscaped] = [false, false];

  const fail = (problem: string): never => {
    const what = entry === 0 ? 'a value' : `record ${entry}`;
    throw new AppError('limit', `${name}: ${what} has ${problem}`, {
      hint: 'Check that each entry of its list is one record, or export it as CSV. Nothing was loaded.',
    });
  };
  /** Returns the place after the text that goes on at a place. */
  const passText = (piece: string, from: number): number => {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (isEscaped) isEscaped = false;
      else if (code === BACKSLASH) isEscaped = true;
      else if (code === QUOTE) {
        isInText = false;
        return at + 1;
      }
    }
    return piece.length;
  };
  /** Returns the place after the value; undefined if it goes on. */
  const findEnd = (piece: string, from: number): number | undefined => {
    for (let at = from; at < piece.length; ) {
      const code = piece.charCodeAt(at);
      if (isInText || code === QUOTE) {
        const start = isInText ? at : at + 1;
        isInText = true;
        at = passText(piece, start);
        if (!isInText && depth === 0) return at;
        continue;
      }
      at += 1;
      if (OPENING.has(code)) depth += 1;
      else if (CLOSING.has(code)) depth -= 1;
      else if (code === COLON) members += 1;
      if (depth > MAX_RECORD_DEPTH) fail(`more than ${MAX_RECORD_DEPTH} lists and objects inside each other`);
      if (depth === 0 && CLOSING.has(code)) return at;
    }
    return undefined;
  };
  const findPlainEnd = (piece: string, from: number): number | undefined => {
    PLAIN_END.lastIndex = from;
    return PLAIN_END.exec(piece)?.index;
  };
  return {
    add(piece, from) {
      const end = (isPlain ? findPlainEnd : findEnd)(piece, from);
      const part = piece.slice(from, end);
      length += part.length;
      if (length > MAX_JSON_RECORD_CHARACTERS) fail(`more than ${MAX_JSON_RECORD_CHARACTERS} characters`);
      if (members > MAX_RECORD_MEMBERS) fail(`more than ${MAX_RECORD_MEMBERS} members`);
      parts.push(part);
      return end === undefined ? undefined : { text: parts.join(''), characters: part.length };
    },
    end: () => parts.join(''),
  };
}
