import { listNames } from '../../base/index.ts';
import type { RowProperty } from '../../numbers/condition/index.ts';
import {
  type ExpressionScope,
  type Literal,
  notImplemented,
  type OrderExpression,
  parseFilter,
  parseOrder,
  tokenize,
  wrongPart,
} from '../../numbers/condition/index.ts';
import { type PageStart, parseStart } from './page-start.ts';
import type { RowSource } from './row-source.ts';

export interface RowQuery {
  /** The properties shown, and true if they were chosen. */
  readonly select: readonly RowProperty[];
  readonly isSelected: boolean;
  /** The condition of the rows in SQL, if any. */
  readonly filter: string | undefined;
  /** The order of the rows, without ties. */
  readonly order: readonly OrderExpression[];
  readonly top: number | undefined;
  readonly skip: number;
  readonly hasCount: boolean;
  readonly start: PageStart | undefined;
}

/** The query options of a URL: options with a $, and the values of @names. */
export type UrlOptions = ReadonlyMap<string, string>;

const ROW_OPTIONS = ['$select', '$filter', '$orderby', '$top', '$skip', '$count', '$skiptoken', '$format'];

/**
 * Parses the options of a URL.
 * @param allowed The options that the resource takes.
 * @throws AppError usage for an option given twice or without meaning; an error of status 501 for one that isn't implemented.
 */
export function parseOptions(queryString: string, allowed: readonly string[] = ROW_OPTIONS): UrlOptions {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(queryString)) {
    if (options.has(name)) throw wrongPart(name, `${name} is given twice`);
    if (!name.startsWith('@') && !allowed.includes(name)) {
      const known = `The options here are ${listNames(name, allowed)}`;
      if (ROW_OPTIONS.includes(name)) throw wrongPart(name, `${name} has no meaning here. ${known}`);
      if (name.startsWith('$')) throw notImplemented(`The option ${name} is not implemented. ${known}`);
      throw wrongPart(name, `There is no option ${JSON.stringify(name)}. ${known}`);
    }
    options.set(name, value);
  }
  return options;
}

/** Returns the literals of the @names in the options. @throws AppError usage for a value that isn't a literal. */
export function readAliases(options: UrlOptions): Map<string, Literal> {
  const named = [...options].filter(([name]) => name.startsWith('@'));
  return new Map(
    named.map(([name, value]) => {
      const [token, end] = tokenize(value, name);
      if (token && 'literal' in token && end && 'sign' in end && end.sign === '') return [name, token.literal];
      throw wrongPart(name, `${name}: ${JSON.stringify(value)} is not a value, such as 12.5, 2026-01-31 or 'a text'`);
    }),
  );
}

/** Parses the options of a request for rows. @throws AppError usage naming the option. */
export function parseRowQuery(options: UrlOptions, source: RowSource): RowQuery {
  const properties = new Map(source.properties.map((property) => [property.name, property]));
  const scope = { properties, aliases: readAliases(options) };
  const filter = options.get('$filter');
  const token = options.get('$skiptoken');
  const order = readOrder(options.get('$orderby'), source, scope);
  const counted = ['$top', '$skip'].filter((name) => options.has(name));
  if (token !== undefined && counted.length > 0) {
    throw wrongPart(
      '$skiptoken',
      `$skiptoken is given with ${counted.join(' and ')}; follow @odata.nextLink unchanged`,
    );
  }
  return {
    ...parseSelect(options.get('$select'), properties),
    filter: filter === undefined ? undefined : parseFilter(filter, scope),
    order,
    top: readCount(options, '$top'),
    skip: readCount(options, '$skip') ?? 0,
    hasCount: readFlag(options, '$count'),
    start:
      token === undefined
        ? undefined
        : parseStart(
            token,
            order.map(({ kind }) => kind),
          ),
  };
}

function parseSelect(
  text: string | undefined,
  properties: ReadonlyMap<string, RowProperty>,
): Pick<RowQuery, 'select' | 'isSelected'> {
  const names = (text ?? '*').split(',').map((name) => name.trim());
  if (names.includes('*')) return { select: [...properties.values()], isSelected: false };
  const select = [...new Set(names)].map((name) => {
    const property = properties.get(name);
    if (property) return property;
    const known = listNames(name, [...properties.keys()]);
    throw wrongPart('$select', `$select: there is no property "${name}"; the properties are ${known}`);
  });
  return { select, isSelected: true };
}

/** Returns the requested order, followed by the columns that break ties. */
function readOrder(text: string | undefined, source: RowSource, scope: ExpressionScope): OrderExpression[] {
  const asked = text === undefined ? [] : parseOrder(text, scope);
  const columns = source.order.flatMap((name) => {
    const { kind, sql } = scope.properties.get(name) ?? { kind: 'number' as const, sql: name };
    return asked.some((item) => item.sql === sql) ? [] : [{ kind, sql, isDescending: false }];
  });
  return [...asked, ...columns];
}

function readCount(options: UrlOptions, name: string): number | undefined {
  const text = options.get(name);
  if (text === undefined || /^\d{1,15}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw wrongPart(name, `${name}: ${JSON.stringify(text)} is not a number of rows; give a whole number from 0`);
}

function readFlag(options: UrlOptions, name: string): boolean {
  const text = options.get(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw wrongPart(name, `${name}: ${JSON.stringify(text)} is not allowed; give true or false`);
}
