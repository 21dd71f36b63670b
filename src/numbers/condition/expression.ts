import { listNames } from '../../base/index.ts';
import { COMPARISONS, compareSql, isAmong, joinConditions, negateCondition, type SqlExpression } from './comparison.ts';
import { notImplemented } from './condition-error.ts';
import { FUNCTIONS_BY_NAME } from './expression-functions.ts';
import { type ExpressionReader, openReader } from './expression-reader.ts';
import { literalOf, type RowProperty, typedNull, type ValueKind } from './row-property.ts';
import type { Literal } from './tokenize.ts';

/*
 * The grammar of $filter and $orderby, from the loosest to the closest:
 *
 *   condition   all {or all}          all      comparison {and comparison}
 *   comparison  operand [eq|ne|gt|ge|lt|le operand | in (value {, value})]
 *   operand     value | @name | property | function(condition, ...) | (condition) | not operand
 *
 * The SQL consists of properties, functions and literals that the program itself writes, each part once:
 * repeated nested parts would turn a short request into gigabytes.
 * No library is suitable: @odata/parser 0.2 and odata-v4-parser 0.1 are unmaintained, and neither types its literals.
 */

/** The properties, and the values of @names, that expressions may name. */
export interface ExpressionScope {
  readonly properties: ReadonlyMap<string, RowProperty>;
  readonly aliases: ReadonlyMap<string, Literal>;
}

export interface OrderExpression extends SqlExpression {
  readonly isDescending: boolean;
}

interface Parsing extends ExpressionScope {
  readonly reader: ExpressionReader;
}

/** The most expressions in $orderby. Unit: expressions. */
const MAX_ORDER_EXPRESSIONS = 32;

/** Operators that the error names as not implemented. */
const OTHER_OPERATORS = ['add', 'sub', 'mul', 'div', 'divby', 'mod', 'has'];

/**
 * Parses the value of $filter into a condition in SQL.
 * @throws AppError usage for an expression that can't be read or compared; an error of status 501 for a part that isn't implemented.
 */
export function parseFilter(text: string, scope: ExpressionScope): string {
  const parsing = { ...scope, reader: openReader(text, '$filter') };
  const condition = parseCondition(parsing);
  parsing.reader.expect('');
  assertKind(parsing, condition, 'boolean', '$filter');
  return condition.sql;
}

/**
 * Parses the value of $orderby: expressions, each with its direction. A repeated expression has no effect.
 * @throws as parseFilter, and AppError usage beyond MAX_ORDER_EXPRESSIONS.
 */
export function parseOrder(text: string, scope: ExpressionScope): OrderExpression[] {
  const reader = openReader(text, '$orderby');
  const items = new Map<string, OrderExpression>();
  do {
    const item = parseCondition({ ...scope, reader });
    // SQL would read a number there as the position of a column.
    if (item.isValue || item.kind === 'null') throw reader.wrong('a value is no order; name a property');
    const isDescending = reader.skip('desc');
    if (!isDescending) reader.skip('asc');
    if (!items.has(item.sql)) items.set(item.sql, { ...item, isDescending });
    if (items.size > MAX_ORDER_EXPRESSIONS) throw reader.wrong(`it has more than ${MAX_ORDER_EXPRESSIONS} expressions`);
  } while (reader.skip(','));
  reader.expect('');
  return [...items.values()];
}

function parseCondition(parsing: Parsing): SqlExpression {
  return parseJoined(parsing, 'or', () => parseJoined(parsing, 'and', () => parseComparison(parsing)));
}

function parseJoined(parsing: Parsing, word: 'and' | 'or', parse: () => SqlExpression): SqlExpression {
  const first = parse();
  const parts = [first];
  while (parsing.reader.skip(word)) parts.push(parse());
  if (parts.length === 1) return first;
  for (const part of parts) assertKind(parsing, part, 'boolean', word);
  return joinConditions(word === 'and' ? 'AND' : 'OR', parts);
}

function parseComparison(parsing: Parsing): SqlExpression {
  const { reader } = parsing;
  const left = parseOperand(parsing);
  const token = reader.peek();
  const word = 'word' in token ? token.word : '';
  if (OTHER_OPERATORS.includes(word)) throw notImplemented(`The operator ${word} is not implemented`);
  if (reader.skip('in')) {
    reader.expect('(');
    const values = parseItems(parsing, () => parseOperand(parsing));
    const typed = [left, ...values].find(({ kind }) => kind !== 'null') ?? left;
    for (const value of values) {
      if (!value.isValue && value.kind !== 'null') throw reader.wrong('in takes a list of values');
      assertComparable(parsing, typed, value);
    }
    return isAmong(left, values);
  }
  const operator = COMPARISONS.get(word);
  if (!operator) return left;
  reader.take();
  const right = parseOperand(parsing);
  assertComparable(parsing, left, right);
  return compareSql(left, operator, right);
}

/** Parses the items before a closing parenthesis; the opening one is already taken. */
function parseItems({ reader }: Parsing, parse: () => SqlExpression): SqlExpression[] {
  const items = [parse()];
  while (reader.skip(',')) items.push(parse());
  reader.expect(')');
  return items;
}

function parseOperand(parsing: Parsing): SqlExpression {
  const { reader, properties, aliases } = parsing;
  const token = reader.take();
  if ('literal' in token) return expressionOf(token.literal);
  if ('sign' in token) {
    if (token.sign !== '(') throw reader.wrong(`a value is missing ${reader.place(token)}`);
    const inner = reader.within(() => parseCondition(parsing));
    reader.expect(')');
    return inner;
  }
  const { word } = token;
  if (word === 'not') {
    const negated = reader.within(() => parseOperand(parsing));
    assertKind(parsing, negated, 'boolean', 'not');
    return negateCondition(negated);
  }
  if (word.startsWith('@')) {
    const literal = aliases.get(word);
    if (!literal) throw reader.wrong(`${word} has no value; give it one as &${word}=...`);
    reader.addCharacters(literal.text.length);
    return expressionOf(literal);
  }
  if (reader.skip('(')) return reader.within(() => parseCall(parsing, word));
  if (reader.skip('/')) throw notImplemented(`Paths such as ${word}/... are not implemented`);
  const property = properties.get(word);
  if (property) return { kind: property.kind, sql: property.sql };
  throw reader.wrong(`there is no property "${word}"; the properties are ${listNames(word, [...properties.keys()])}`);
}

/** Parses the arguments of a function, after its first parenthesis. */
function parseCall(parsing: Parsing, name: string): SqlExpression {
  const { reader } = parsing;
  const known = FUNCTIONS_BY_NAME.get(name);
  if (!known) {
    const names = [...FUNCTIONS_BY_NAME.keys()].join(', ');
    throw notImplemented(`The function ${name} is not implemented. The functions are ${names}`);
  }
  const { takes, needs = takes.length, gives, sql } = known;
  const args = parseItems(parsing, () => parseCondition(parsing));
  if (args.length < needs || args.length > takes.length)
    throw reader.wrong(`${name} takes ${takes.join(', ')}; ${args.length} values are given`);
  const texts = args.map((arg, index) => {
    const wanted = takes[index] ?? 'null';
    assertKind(parsing, arg, wanted, name);
    return arg.kind === 'null' ? typedNull(wanted) : arg.sql;
  });
  return { kind: gives, sql: sql(...texts) };
}

function expressionOf({ kind, text }: Literal): SqlExpression {
  return { kind, sql: literalOf(kind, text), isValue: kind !== 'null' };
}

function assertComparable({ reader }: Parsing, left: SqlExpression, right: SqlExpression): void {
  if (left.kind !== right.kind && left.kind !== 'null' && right.kind !== 'null')
    throw reader.wrong(`a ${left.kind} can't be compared with a ${right.kind}`);
}

function assertKind({ reader }: Parsing, { kind }: SqlExpression, wanted: ValueKind, word: string): void {
  if (kind !== wanted && kind !== 'null') throw reader.wrong(`${word} takes a ${wanted}, not a ${kind}`);
}
