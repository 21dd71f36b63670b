import { quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { type Column, dateLiteral } from '../report/catalogue/index.ts';
import { UNIT_TYPES } from '../write/index.ts';

/** A type of OData's entity data model. */
export type EdmType =
  | 'Edm.Boolean'
  | 'Edm.Date'
  | 'Edm.DateTimeOffset'
  | 'Edm.Decimal'
  | 'Edm.Int32'
  | 'Edm.Int64'
  | 'Edm.String';

/** The kinds of values that can be compared with each other; null with all. */
export type ValueKind = 'boolean' | 'date' | 'moment' | 'number' | 'text' | 'null';

export const KINDS: Readonly<Record<EdmType, ValueKind>> = {
  'Edm.Boolean': 'boolean',
  'Edm.Date': 'date',
  'Edm.DateTimeOffset': 'moment',
  'Edm.Decimal': 'number',
  'Edm.Int32': 'number',
  'Edm.Int64': 'number',
  'Edm.String': 'text',
};

/** Column types by name; decimals and enumerations are recognized by their form. */
const TYPES: Readonly<Record<string, EdmType>> = {
  BOOLEAN: 'Edm.Boolean',
  DATE: 'Edm.Date',
  TIMESTAMP: 'Edm.DateTimeOffset',
  INTEGER: 'Edm.Int32',
  BIGINT: 'Edm.Int64',
  VARCHAR: 'Edm.String',
};

export interface RowProperty {
  readonly name: string;
  readonly type: EdmType;
  readonly kind: ValueKind;
  /** The digits of a decimal, and its digits after the point. */
  readonly precision?: number;
  readonly scale?: number;
  readonly description: string;
  /** The column in comparisons and orders; an enumeration is a text there. */
  readonly sql: string;
}

/**
 * Makes the property of a column.
 * @param type The column's type in SQL, such as DECIMAL(18,4).
 * @throws AppError definition for a type without an equivalent.
 */
export function propertyOf({
  name,
  type,
  description,
}: Readonly<Record<'name' | 'type' | 'description', string>>): RowProperty {
  const column = quoteName(name);
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  const isEnumeration = type.startsWith('ENUM');
  const edm = scale === undefined ? TYPES[isEnumeration ? 'VARCHAR' : type] : 'Edm.Decimal';
  if (!edm) throw new AppError('definition', `OData has no type for the column ${name}, which is ${type}`);
  return {
    name,
    type: edm,
    kind: KINDS[edm],
    ...(scale === undefined ? {} : { precision: Number(precision), scale: Number(scale) }),
    description,
    sql: isEnumeration ? `CAST(${column} AS VARCHAR)` : column,
  };
}

/** Makes the property of a report's column. */
export function columnProperty({
  name,
  unit,
  description,
}: Pick<Column, 'name' | 'unit' | 'description'>): RowProperty {
  return propertyOf({ name, type: UNIT_TYPES[unit], description });
}

/** Null as an argument: the engine chooses functions by the types of arguments. */
const TYPED_NULLS: Readonly<Record<ValueKind, string>> = {
  boolean: 'CAST(NULL AS BOOLEAN)',
  date: 'CAST(NULL AS DATE)',
  // In SQL a text, YYYY-MM-DDTHH:MM:SSZ: these are in the order of the moments.
  moment: 'CAST(NULL AS VARCHAR)',
  number: 'CAST(NULL AS BIGINT)',
  text: 'CAST(NULL AS VARCHAR)',
  null: 'NULL',
};

export function typedNull(kind: ValueKind): string {
  return TYPED_NULLS[kind];
}

export function formatText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a value of a kind as SQL. @param text Digits of a number, YYYY-MM-DD, true or false, or any text. */
export function literalOf(kind: ValueKind, text: string): string {
  if (kind === 'null') return 'NULL';
  if (kind === 'date') return dateLiteral(text);
  return kind === 'text' || kind === 'moment' ? quoteText(text) : text;
}
