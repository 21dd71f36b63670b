import { type ExpressionToken, type Literal, tokenize } from '../../odata/tokenize.ts';
import type { Column, Meta } from '../../report/catalogue/table.ts';
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
  let column: Column | undefined;
  let said = '';
  const say = (token: ExpressionToken) => {
    if ('sign' in token) return token.sign;
    if ('literal' in token) return sayLimit(token.literal, column, meta);
    const named = columns.find(({ name }) => name === token.word);
    column = named ?? column;
    return named?.label ?? OPERATORS[token.word]?.[column?.unit === 'date' ? 1 : 0] ?? token.word;
  };
  let isCall = false;
  for (const token of tokenize(where, '$filter')) {
    const part = say(token);
    const isTight = said === '' || said.endsWith('(') || [')', ',', ''].includes(part) || (part === '(' && isCall);
    said += isTight ? part : ` ${part}`;
    isCall = 'word' in token && part === token.word && !JOINING.includes(part);
  }
  return said;
}

/** The words that are no functions: a parenthesis after them holds a condition or a list. */
const JOINING = ['and', 'or', 'not'];

function sayLimit({ kind, text }: Literal, column: Column | undefined, meta: Meta): string {
  if (kind === 'null') return 'unknown';
  if (kind === 'text') return `"${text}"`;
  if (kind !== 'number' || !column || !isFigure(column) || column.unit === 'date') return text;
  return formatFigure(column, text, meta, text.split('.')[1]?.length ?? 0);
}
