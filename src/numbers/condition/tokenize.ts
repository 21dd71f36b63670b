import { isDay } from '../../base/calendar/index.ts';
import { wrongPart } from './condition-error.ts';
import type { ValueKind } from './row-property.ts';

export interface Literal {
  readonly kind: ValueKind;
  /** The value without quotes: digits of a number, YYYY-MM-DD, true, false, null, or the text. */
  readonly text: string;
}

export type ExpressionToken = { readonly at: number } & (
  | { readonly literal: Literal }
  | { readonly word: string }
  | { readonly sign: string }
);

/** The most digits of a number before its point, and after it. Unit: digits. */
const MAX_NUMBER_DIGITS = 18;

const FORMS = [
  { name: 'space', pattern: /\s+/y },
  { name: 'text', pattern: /'(?:[^']|'')*'/y },
  { name: 'moment', pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?!\w)/y },
  { name: 'date', pattern: /\d{4}-\d\d-\d\d(?![\w:])/y },
  { name: 'number', pattern: /-?\d+(?:\.\d+)?(?![\w.-])/y },
  { name: 'word', pattern: /@?[A-Za-z_][\w.]*/y },
  { name: 'sign', pattern: /[(),/=]/y },
] as const;

const CONSTANTS: ReadonlyMap<string, ValueKind> = new Map([
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
]);

/**
 * Splits an expression into tokens; the last one is the sign "", at its end.
 * @param target The query option that holds it, for errors.
 * @throws AppError usage for text that isn't a token, and for values that no column has.
 */
export function tokenize(text: string, target: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let at = 0;
  while (at < text.length) {
    const found = FORMS.flatMap(({ name, pattern }) => {
      pattern.lastIndex = at;
      const [matched] = pattern.exec(text) ?? [];
      return matched === undefined ? [] : [{ name, matched }];
    })[0];
    if (!found) throw unreadable(text, target, at);
    const { name, matched } = found;
    if (name === 'word') {
      const kind = CONSTANTS.get(matched);
      tokens.push(kind ? { at, literal: { kind, text: matched } } : { at, word: matched });
    } else if (name === 'sign') tokens.push({ at, sign: matched });
    else if (name !== 'space') tokens.push({ at, literal: readLiteral(name, matched, target) });
    at += matched.length;
  }
  return [...tokens, { at, sign: '' }];
}

/**
 * Lists the words of a condition, among them the properties that it names.
 * @throws AppError usage as tokenize.
 */
export function wordsOf(condition: string): ReadonlySet<string> {
  return new Set(tokenize(condition, '$filter').flatMap((token) => ('word' in token ? [token.word] : [])));
}

function readLiteral(kind: 'text' | 'moment' | 'date' | 'number', matched: string, target: string): Literal {
  if (kind === 'text') return { kind, text: matched.slice(1, -1).replaceAll("''", "'") };
  if (kind === 'date' && !isDay(matched)) throw wrongPart(target, `${target}: ${matched} is not a real day`);
  if (kind === 'number' && matched.split(/[-.]/).some((digits) => digits.length > MAX_NUMBER_DIGITS)) {
    const allowed = `at most ${MAX_NUMBER_DIGITS} digits before the point, and as many after it`;
    throw wrongPart(target, `${target}: ${matched} is too long; give ${allowed}`);
  }
  return { kind, text: matched };
}

function unreadable(text: string, target: string, at: number) {
  const part = JSON.stringify(text.slice(at, at + 20));
  return wrongPart(
    target,
    `${target}: ${part} at character ${at + 1} can't be read. Values are numbers without an exponent, days as YYYY-MM-DD, texts in single quotes, true, false and null`,
  );
}
