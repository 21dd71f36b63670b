import { AppError, messageOf } from '../../../base/index.ts';
import { openValueText, type ValueText } from './json-value-text.ts';

/** The deepest objects in which lists of records are looked for. Unit: levels. */
const MAX_LIST_DEPTH = 2;

/** The most entries of the lists in a JSON file of another service. Unit: entries. */
export const MAX_JSON_ENTRIES = 2_000_000;

/** An entry of a list in a JSON text. */
export interface ListedValue {
  /** The names of the objects around its list: data.rows. Empty for a text that is a list. */
  readonly list: string;
  /** Its numbers are texts that begin with NUMBER_MARK. */
  readonly value: unknown;
}

/** Stands before the digits of a number, which JavaScript would round. */
export const NUMBER_MARK = '\u0000';

/** A parser of a JSON text that comes in pieces. It keeps no more of it than one entry. */
export interface JsonEntries {
  /** Takes the next piece. @returns the entries that end in it. @throws AppError input for no JSON; limit. */
  add(piece: string): ListedValue[];
  /** Takes the end of the text. */
  end(): ListedValue[];
}

/** An object around lists, or a list, that isn't closed. */
interface OpenPlace {
  readonly kind: 'object' | 'list';
  readonly name: string;
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'more' | 'end';

/** The place in a JSON text up to which it was read. */
interface JsonState {
  /** The name of the file, for messages. */
  readonly name: string;
  /** True for values one after the other, which are one list. */
  readonly isSequence: boolean;
  /** The objects and lists around the place. */
  readonly open: OpenPlace[];
  expected: Expected;
  /** The last key of an object around lists. */
  key: string;
  /** The value that goes on. */
  text: ValueText | undefined;
  entries: number;
  found: ListedValue[];
}

const [COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, QUOTE] = [...',:[]{}"'].map((c) =>
  c.charCodeAt(0),
);

/**
 * Opens the parser of a JSON text, whose lists of records have entries: the text itself, or lists inside its objects.
 * @param name For messages. @param isSequence True for values one after the other, which are one list.
 */
export function openJsonEntries(name: string, isSequence: boolean): JsonEntries {
  const open: OpenPlace[] = isSequence ? [{ kind: 'list', name: '' }] : [];
  const state: JsonState = {
    name,
    isSequence,
    open,
    expected: 'value',
    key: '',
    text: undefined,
    entries: 0,
    found: [],
  };
  const takeFound = (): ListedValue[] => {
    const { found } = state;
    state.found = [];
    return found;
  };
  return {
    add(piece) {
      for (let at = 0; at < piece.length; ) {
        if (state.text === undefined) takeCharacter(state, piece.charCodeAt(at));
        if (state.text === undefined) at += 1;
        else {
          const written = state.text.add(piece, at);
          at = written === undefined ? piece.length : at + written.characters;
          if (written !== undefined) takeValue(state, written.text);
        }
      }
      return takeFound();
    },
    end() {
      if (state.text !== undefined) takeValue(state, state.text.end());
      const isWhole = isSequence ? open.length === 1 && state.expected === 'value' : state.expected === 'end';
      if (!isWhole) failJson(state, 'it ends before everything is closed');
      return takeFound();
    },
  };
}

/** Takes a character that is outside of a value's text, or its first one. */
function takeCharacter(state: JsonState, code: number): void {
  const { expected } = state;
  if (isBlank(code)) return;
  if (code === CLOSE_LIST) close(state, 'list', code);
  else if (code === CLOSE_OBJECT) close(state, 'object', code);
  else if (expected === 'more' && code === COMMA) state.expected = state.open.at(-1)?.kind === 'list' ? 'value' : 'key';
  else if (expected === 'colon' && code === COLON) state.expected = 'value';
  else if (expected === 'value' || expected === 'first value') begin(state, code);
  else if ((expected === 'key' || expected === 'first key') && code === QUOTE)
    state.text = openValueText(state.name, state.entries, code);
  else failJson(state, unexpected(code));
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Begins a value: a list of records, an object around lists, or one that is kept as a text up to its end. */
function begin(state: JsonState, code: number): void {
  const { name, open, key } = state;
  const place = open.at(-1);
  if (place?.kind === 'list') {
    countEntry(state);
    state.text = openValueText(name, state.entries, code);
    return;
  }
  const path = place === undefined ? '' : place.name === '' ? key : `${place.name}.${key}`;
  if (code === OPEN_LIST) {
    open.push({ kind: 'list', name: path });
    state.expected = 'first value';
  } else if (code === OPEN_OBJECT && open.length < MAX_LIST_DEPTH) {
    open.push({ kind: 'object', name: path });
    state.expected = 'first key';
  } else state.text = openValueText(name, state.entries, code);
}

function close(state: JsonState, kind: OpenPlace['kind'], code: number): void {
  const isEmpty = state.expected === (kind === 'list' ? 'first value' : 'first key');
  const isOpen = state.open.at(-1)?.kind === kind && !(state.isSequence && state.open.length === 1);
  if (!isOpen || (state.expected !== 'more' && !isEmpty)) failJson(state, unexpected(code));
  state.open.pop();
  state.expected = afterValue(state);
}

/** Takes the whole text of a key or a value. */
function takeValue(state: JsonState, text: string): void {
  state.text = undefined;
  let value: unknown;
  try {
    value = JSON.parse(markNumbers(text)) as unknown;
  } catch (cause) {
    failJson(state, sayParseError(messageOf(cause)), cause);
  }
  if (state.expected === 'key' || state.expected === 'first key') {
    state.key = String(value);
    state.expected = 'colon';
    return;
  }
  const place = state.open.at(-1);
  state.expected = afterValue(state);
  if (place?.kind === 'list') state.found.push({ list: place.name, value });
}

function afterValue({ open, isSequence }: JsonState): Expected {
  if (open.length === 0) return 'end';
  return isSequence && open.length === 1 ? 'value' : 'more';
}

function countEntry(state: JsonState): void {
  state.entries += 1;
  if (state.entries <= MAX_JSON_ENTRIES) return;
  throw new AppError('limit', `${state.name} has more than ${MAX_JSON_ENTRIES} entries in its lists`, {
    hint: 'Export a shorter time into each file, or CSV. Nothing was loaded.',
  });
}

function failJson({ name, entries }: JsonState, problem: string, cause?: unknown): never {
  const place = entries === 0 ? '' : `, at entry ${entries}`;
  throw new AppError('input', `${name} is no JSON: ${problem}${place}`, {
    hint: 'Export it again. Nothing was loaded.',
    cause,
  });
}

/** Says an error of JSON.parse, whose place is one in a record. */
function sayParseError(message: string): string {
  if (/escape/i.test(message)) return String.raw`a text has an escape that JSON doesn't have, such as \x`;
  if (/control character/i.test(message)) return 'a text has a control character, such as the end of a line';
  return message;
}

function unexpected(code: number): string {
  return `it has ${JSON.stringify(String.fromCharCode(code))} where it can't be`;
}

const NUMBER = /-?[0-9][0-9.eE+-]*/g;

const WHOLE_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Makes texts of the numbers in a JSON text, which begin with NUMBER_MARK. */
function markNumbers(text: string): string {
  let marked = '';
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    marked += text
      .slice(at, end)
      .replaceAll(NUMBER, (number) => (WHOLE_NUMBER.test(number) ? `"\\u0000${number}"` : number));
    at = quote < 0 ? end : endOfText(text, quote);
    marked += text.slice(end, at);
  }
  return marked;
}

/** Returns the place after a text that begins with a quote. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}
