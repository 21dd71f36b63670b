import { quoteText } from '../../../base/database/index.ts';
import { type Constraint, DECIMAL_TYPES, decimalsOf, type Fields, SQL_TYPES } from '../../resource/field.ts';
import { countRounding, countRoundings, exactDecimal } from './decimals.ts';
import { fieldFaults, fieldValue, isBlankText, type RawField, unreadableReason } from './field-values.ts';
import { entryItems, isPlainly, listItems, type PartShape } from './lists.ts';

/** A list or an object inside a record, as text. */
export interface RawPart {
  readonly name: string;
  readonly text: string;
  readonly shape: PartShape;
}

/** The parts of a record, or of an item inside one, as SQL. */
export interface RecordShape {
  readonly fields: readonly RawField[];
  /** Fields missing from all records; each is null. */
  readonly absent: Fields;
  readonly parts: readonly RawPart[];
  readonly constraints: readonly Constraint[];
  /** Further columns for the constraints, as SQL by name. */
  readonly extras: Readonly<Record<string, string>>;
  /** The known keys; all others are unknown fields. Empty if the value isn't an object. */
  readonly keys: readonly string[];
  /** Key lists shared by most records, most frequent first: records with these skip the check of each key. */
  readonly usualKeys?: readonly (readonly string[])[] | undefined;
  /** False for plain values in a list. */
  readonly isObject: boolean;
}

/**
 * Returns the common table expressions that turn `record` into `validated`.
 * `record` has the columns `json`, `problem` (a reason known beforehand) and the columns that the raw fields use.
 * `validated` adds a column for each field, `rounded` (the number of values changed by rounding), `unknown` (true if
 * there are unknown keys), `left_out` (values left out, with their fields) and `reasons`; each of the last three is null if it has none.
 * Reasons are computed only for doubtful records.
 */
export function validatedExpressions(shape: RecordShape): string {
  return `exact AS (
  SELECT *, ${[...shape.fields.filter(isDecimal).map((raw) => `${exactText(raw)} AS ${raw.name}_text`), `${oddKeys(shape)} AS odd_keys`].join(',\n    ')}
  FROM record
), value AS (
  SELECT *,
    ${[...shape.fields.map((raw) => `${fieldValue(raw)} AS ${raw.name}`), ...absentColumns(shape), ...extraColumns(shape)].join(',\n    ')}
  FROM exact
), validated AS (
  SELECT *, CASE WHEN ${precheckConditions(shape).join('\n      OR ')}
    THEN ${reasons(shape)} END AS reasons, ${leftOut(shape.fields)} AS left_out
  FROM value
)`;
}

/** Returns SQL that tells whether a record has a list of keys, in this order. */
export function hasKeys(keys: readonly string[]): string {
  return `entry_keys = [${keys.map(quoteText).join(', ')}]`;
}

/** Returns SQL for the keys of a record; null for the usual ones. */
function oddKeys({ isObject, usualKeys }: RecordShape): string {
  if (!isObject) return 'CAST(NULL AS VARCHAR[])';
  if (!usualKeys?.length) return 'json_keys(json)';
  return `CASE WHEN ${usualKeys.map(hasKeys).join(' OR ')} THEN NULL ELSE entry_keys END`;
}

function absentColumns({ absent }: RecordShape): string[] {
  return Object.entries(absent).map(([name, { type }]) => `CAST(NULL AS ${SQL_TYPES[type]}) AS ${name}`);
}

/** Types whose unreadable values are left out while the record is kept: they affect appearance only (1.5). */
const LEFT_OUT_TYPES: ReadonlySet<string> = new Set(['color']);

/** Returns SQL for the values left out of a record, as {field, reason, text}; null if there are none. */
function leftOut(fields: readonly RawField[]): string {
  const found = fields.filter(isLeftOut).map((raw) => {
    const members = `'field': ${quoteText(raw.name)}, 'reason': ${unreadableReason(raw)}, 'text': ${raw.text}`;
    return { isBad: `(${raw.name} IS NULL AND ${raw.text} <> '')`, value: `{${members}}` };
  });
  if (found.length === 0) return 'NULL';
  const values = found.map(({ isBad, value }) => `CASE WHEN ${isBad} THEN ${value} END`).join(', ');
  return `CASE WHEN ${found.map(({ isBad }) => isBad).join(' OR ')} THEN list_filter([${values}], lambda v: v IS NOT NULL) END`;
}

function isLeftOut({ field }: RawField): boolean {
  return LEFT_OUT_TYPES.has(field.type);
}

function extraColumns({ fields, extras, keys }: RecordShape): string[] {
  const roundings = fields
    .filter(isDecimal)
    .map(({ name, field }) =>
      (field.type === 'week' ? countRoundings : countRounding)(`${name}_text`, decimalsOf(field)),
    );
  const unknown = keys.length > 0 ? `lambda k: k NOT IN (${keys.map(quoteText).join(', ')})` : 'lambda k: TRUE';
  return [
    ...Object.entries(extras).map(([name, sql]) => `${sql} AS ${name}`),
    `CAST(${roundings.join(' + ') || '0'} AS UTINYINT) AS rounded`,
    `NULLIF(len(list_filter(odd_keys, ${unknown})) > 0, FALSE) AS unknown`,
  ];
}

function isDecimal({ field }: RawField): boolean {
  return DECIMAL_TYPES.includes(field.type);
}

function exactText({ field, text, kind }: RawField): string {
  if (field.type !== 'week') return exactDecimal(text, kind);
  const item = exactDecimal("json_extract_string(i, '$')", 'json_type(i)');
  return `list_transform(${listItems(`NULLIF(${text}, '')`)}, lambda i: ${item})`;
}

/** SQL that tells whether a key repeats. list_distinct and list_unique end the process if memory runs out (DuckDB 1.5.6). */
const TWICE = 'len(odd_keys) > len(list_intersect(odd_keys, odd_keys))';

/** Returns cheap conditions, of which at least one holds for every bad record, and few good ones. */
function precheckConditions({ fields, parts, constraints, isObject }: RecordShape): string[] {
  const mayBeAnything = isObject && !fields.some(({ field }) => field.required);
  return [
    'problem IS NOT NULL',
    TWICE,
    ...(mayBeAnything ? ["json_type(json) IS DISTINCT FROM 'OBJECT'"] : []),
    ...fields
      .filter((raw) => !isLeftOut(raw))
      .map(({ name, field, text }) =>
        field.required
          ? `${name} IS NULL`
          : `(${name} IS NULL AND ${text} ${field.type === 'id' ? "NOT IN ('', '0')" : "<> ''"})`,
      ),
    ...fields.flatMap(fieldFaults).map(({ condition }) => `(${condition})`),
    ...parts.map(({ text, shape }) => `(${text} <> '' AND NOT (${isPlainly(text, shape)}))`),
    ...constraints.map(({ broken }) => `(${broken})`),
  ];
}

/** Returns SQL for all reasons of a record, in field order; null if there are none. */
function reasons({ fields, parts, constraints, isObject }: RecordShape): string {
  const found = [
    ...fields.filter((raw) => !isLeftOut(raw)).map(fieldReason),
    ...parts.map(partReason),
    ...constraints.map(({ broken, reason }) => `CASE WHEN ${broken} THEN ${quoteText(reason)} END`),
  ];
  return `CASE WHEN problem IS NOT NULL THEN [problem]
      WHEN ${isObject ? "json_type(json) IS DISTINCT FROM 'OBJECT'" : 'FALSE'} THEN ['not an object']
      WHEN ${TWICE} THEN ['a field occurs twice']
      ELSE NULLIF(list_filter([
        ${found.join(',\n        ')}
      ], lambda r: r IS NOT NULL), []) END`;
}

function fieldReason(raw: RawField): string {
  const { name, field, text } = raw;
  const missing = field.required ? quoteText(`${name}: missing`) : 'NULL';
  const faults = fieldFaults(raw).map(
    ({ condition, reason }) => `WHEN ${condition} THEN ${quoteText(`${name}: ${reason}`)}`,
  );
  return `CASE WHEN ${text} IS NULL OR ${isBlankText(raw)} THEN ${missing}
          WHEN ${name} IS NULL THEN ${unreadableReason(raw)}
          ${faults.join(' ')} END`;
}

function partReason({ name, text, shape }: RawPart): string {
  const words = { list: 'a list', entries: 'an object with dates as keys', object: 'an object' }[shape];
  const isRead = {
    list: `${listItems(text)} IS NOT NULL`,
    entries: `${entryItems(text)} IS NOT NULL`,
    object: isPlainly(text, shape),
  }[shape];
  return `CASE WHEN ${text} <> '' AND NOT (${isRead}) THEN ${quoteText(`${name}: not ${words}`)} END`;
}
