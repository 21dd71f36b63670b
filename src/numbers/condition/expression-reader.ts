import type { AppError } from '../../base/index.ts';
import { wrongPart } from './condition-error.ts';
import { type ExpressionToken, tokenize } from './tokenize.ts';

/** The longest expression, with the value of an @name counted at each use. Unit: characters. */
const MAX_EXPRESSION_CHARACTERS = 8_192;

/** The deepest nesting of parentheses, functions and negations. Unit: levels. */
const MAX_EXPRESSION_DEPTH = 50;

export interface ExpressionReader {
  peek(): ExpressionToken;
  take(): ExpressionToken;
  /** Takes the next token if it is this word or sign. */
  skip(text: string): boolean;
  /** @throws AppError usage unless the next token is this sign. */
  expect(sign: string): void;
  /** Counts the characters of a value that an @name stands for. @throws AppError usage beyond MAX_EXPRESSION_CHARACTERS. */
  addCharacters(count: number): void;
  /** Parses one level deeper. @throws AppError usage beyond MAX_EXPRESSION_DEPTH. */
  within<T>(parse: () => T): T;
  /** Makes an error on the query option that holds the expression. */
  wrong(message: string): AppError;
  /** Describes the place of a token for an error. */
  place(token: ExpressionToken): string;
}

/** Opens a reader. @throws AppError usage for a text that is too long or can't be split into tokens. */
export function openReader(text: string, target: string): ExpressionReader {
  let [characters, next, depth] = [0, 0, 0];
  const addCharacters = (count: number) => {
    characters += count;
    if (characters <= MAX_EXPRESSION_CHARACTERS) return;
    const message = `${target} has ${characters} characters; at most ${MAX_EXPRESSION_CHARACTERS} are allowed`;
    throw wrongPart(target, message);
  };
  addCharacters(text.length);
  const tokens = tokenize(text, target);
  const wrong = (message: string) => wrongPart(target, `${target}: ${message}`);
  const place = ({ at }: ExpressionToken) => (at >= text.length ? 'at the end' : `at character ${at + 1}`);
  const peek = () => tokens[next] as ExpressionToken;
  const skip = (expected: string) => {
    const token = peek();
    const isNext = ('word' in token && token.word === expected) || ('sign' in token && token.sign === expected);
    if (isNext && expected !== '') next += 1;
    return isNext;
  };
  return {
    peek,
    skip,
    wrong,
    place,
    addCharacters,
    take() {
      const token = peek();
      if (next < tokens.length - 1) next += 1;
      return token;
    },
    expect(sign) {
      if (skip(sign)) return;
      throw wrong(sign === '' ? `nothing more is expected ${place(peek())}` : `"${sign}" is missing ${place(peek())}`);
    },
    within(parse) {
      depth += 1;
      if (depth > MAX_EXPRESSION_DEPTH) throw wrong(`it is nested more than ${MAX_EXPRESSION_DEPTH} levels deep`);
      const result = parse();
      depth -= 1;
      return result;
    },
  };
}
