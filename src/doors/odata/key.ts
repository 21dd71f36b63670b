import type { Value } from '../../base/database/index.ts';
import type { Literal } from '../../numbers/condition/index.ts';
import { compareSql, formatText, literalOf, type RowProperty, wrongPart } from '../../numbers/condition/index.ts';
import type { RowSource } from './row-source.ts';

export function keyProperties({ key, properties }: RowSource): RowProperty[] {
  return key.flatMap((name) => properties.find((property) => property.name === name) ?? []);
}

/**
 * Returns the condition of the row with a key.
 * @param given The values by name; if the key has one property, its name may be "".
 * @throws AppError usage unless every property of the key has a value of its type, and nothing else has.
 */
export function keyCondition(source: RowSource, given: ReadonlyMap<string, Literal>): string {
  const properties = keyProperties(source);
  const [only, ...others] = properties;
  const values = only && others.length === 0 && given.has('') ? new Map([[only.name, given.get('')]]) : given;
  const conditions = properties.flatMap(({ name, kind, sql }) => {
    const literal = values.get(name);
    if (literal?.kind !== kind) return [];
    return compareSql({ kind, sql }, '=', { kind, sql: literalOf(kind, literal.text), isValue: true }).sql;
  });
  if (conditions.length === properties.length && values.size === given.size && given.size === properties.length)
    return conditions.join(' AND ');
  const names = properties.map(({ name, type }) => `${name} (${type})`).join(', ');
  throw wrongPart('key', `The key of ${source.name} is ${names}; give each a value of its type`);
}

/** Formats the path of a row: its entity set and its key. */
export function formatEntityPath(source: RowSource, values: readonly Value[]): string {
  const literals = keyProperties(source).map(({ name, kind }, index) => {
    const text = String(values[index] ?? '');
    const literal = kind === 'text' ? formatText(text) : text;
    return source.key.length === 1 ? encodeURIComponent(literal) : `${name}=${encodeURIComponent(literal)}`;
  });
  return `${source.name}(${literals.join(',')})`;
}
