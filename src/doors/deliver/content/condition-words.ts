import { type ExpressionToken, type Literal, tokenize } from '../../../numbers/condition/index.ts';
import type { Column, Meta } from '../../../numbers/report/catalogue/index.ts';
import { formatFigure, isFigure } from './message-figures.ts';

/** The words of comparisons: of numbers and texts, and of days. */
const OPERATORS: Readonly<Record<string, readonly [string, string]>> = {
  gt: ['above', 'after'],
  ge: ['at least', 'on or after'],
  lt: ['below', 'before'],
  le: ['at most', 'on or before'],
  eq: ['is', 'is'],
  ne: ['is not', 'is not'],
  in: ['is one of', 'is one of'],
};

/** Says a condition in the words of a reader: columns by their labels, limits with their units, exactly and in their order. */
export function sayCondition(where: string, columns: readonly Column[], meta: Meta): string {
  const namedBy = (token: ExpressionToken) =>
    'word' in token ? columns.find(({ name }) => name === token.word) : undefined;
  const say = (token: ExpressionToken, column: Column | undefined) => {
    if ('sign' in token) return token.sign;
    if ('literal' in token) return sayLimit(token.literal, column, meta);
    return namedBy(token)?.label ?? OPERATORS[token.word]?.[column?.unit === 'date' ? 1 : 0] ?? token.word;
  };
  let said = '';
  let isCall = false;
  let column: Column | undefined;
  const tokens = tokenize(where, '$filter');
  for (const [place, token] of tokens.entries()) {
    if (place === 0 || isEnd(token)) {
      // A limit may stand before its column, but in the same comparison.
      const rest = tokens.slice(place + (isEnd(token) ? 1 : 0));
      const end = rest.findIndex(isEnd);
      column = rest
        .slice(0, end < 0 ? rest.length : end)
        .map(namedBy)
        .find((named) => named !== undefined);
    }
    const part = say(token, column);
    const isTight = said === '' || said.endsWith('(') || [')', ',', ''].includes(part) || (part === '(' && isCall);
    said += isTight ? part : ` ${part}`;
    isCall = 'word' in token && part === token.word && !JOINING.includes(part);
  }
  return said;
}

/** The words that are no functions: a parenthesis after them holds a condition or a list. */
const JOINING = ['and', 'or', 'not'];

/** Tells whether a token ends a comparison. */
function isEnd(token: ExpressionToken): boolean {
  return 'word' in token && ['and', 'or'].includes(token.word);
}

function sayLimit({ kind, text }: Literal, column: Column | undefined, meta: Meta): string {
  if (kind === 'null') return 'unknown';
  if (kind === 'text') return `"${text}"`;
  if (kind !== 'number' || !column || !isFigure(column) || column.unit === 'date') return text;
  return formatFigure(column, text, meta, text.split('.')[1]?.length ?? 0);
}
