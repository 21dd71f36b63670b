import { quoteName, quoteText } from '../../base/database/index.ts';
import { fewestDecimals, LIST_SEPARATOR } from '../../base/index.ts';
import type { Column, Meta } from '../report/catalogue/table.ts';
import type { CsvDialect } from './csv-style.ts';
import { type DecimalStyle, isDecimal, isNumeric } from './value-text.ts';

/*
 * SQL that formats values, for rows that the database writes itself.
 * Gives the same bytes as value-text.ts and csv-writer.ts. Decimals become text by CAST alone, so no
 * binary float is involved.
 */

export interface TypedColumn extends Column {
  readonly type: string;
}

interface Spelling {
  readonly column: TypedColumn;
  readonly text: string;
  /** True for strings in JavaScript, which JSON and CSV quote. */
  readonly isString: boolean;
}

const INTEGER = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;
const DECIMAL = /^DECIMAL\((\d+),(\d+)\)$/;

/** CSV cells that a spreadsheet would run. */
const FORMULA = '^[=+\\-@\\t\\r]';

/** Characters that JSON escapes. The backslash comes first, since the other escapes add more of them. */
const ESCAPED = '[\\x00-\\x1f"\\\\]';
const ESCAPES = [0x5c, 0x22, ...Array.from({ length: 0x20 }, (_, code) => code)].map(
  (code) => [code, JSON.stringify(String.fromCharCode(code)).slice(1, -1)] as const,
);

/** Returns SQL for a row's CSV record without line end; undefined for a type without SQL spelling. */
export function spellRecord(columns: readonly TypedColumn[], meta: Meta, dialect: CsvDialect): string | undefined {
  const { separator, decimalMark } = dialect;
  const cells = spellAll(columns, meta)?.map(({ column, text, isString }) => {
    if (!isString) return text;
    if (isNumeric(column.unit)) return decimalMark === '.' ? text : `replace(${text}, '.', '${decimalMark}')`;
    return hasAnyText(column) ? spellCell(text, separator) : text;
  });
  // Concat turns null into an empty text.
  return cells && `concat(${cells.join(`, '${separator}', `)})`;
}

/** Returns SQL for a row as a JSON object; undefined for a type without SQL spelling. */
export function spellObject(columns: readonly TypedColumn[], meta: Meta, decimals: DecimalStyle): string | undefined {
  const fields = spellAll(columns, meta)?.map(({ column, text, isString }, index) => {
    const name = quoteText(`${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
    const isNumber = isDecimal(column.unit) && decimals === 'number';
    const value = isString && !isNumber ? spellString(text, column) : text;
    return `${name}, coalesce(${column.unit === 'list' ? spellList(value) : value}, 'null')`;
  });
  return fields && `concat(${[...fields, "'}'"].join(', ')})`;
}

function spellAll(columns: readonly TypedColumn[], meta: Meta): Spelling[] | undefined {
  const spelt = columns.flatMap((column) => spellValue(column, meta) ?? []);
  return spelt.length === columns.length ? spelt : undefined;
}

function spellValue(column: TypedColumn, { minor_units: minorUnits }: Meta): Spelling | undefined {
  const { type, unit } = column;
  const name = quoteName(column.name);
  const text = `CAST(${name} AS VARCHAR)`;
  if (INTEGER.test(type) || type === 'BOOLEAN') return { column, text, isString: false };
  const [, width, scale] = DECIMAL.exec(type) ?? [];
  if (scale !== undefined) {
    // If all digits are decimals, the database omits the zero before the point.
    if (scale === width) return undefined;
    // Hours that no unit tells: as the database's driver gives them.
    const fewest = (isDecimal(unit) ? fewestDecimals(unit, minorUnits) : undefined) ?? (scale === '6' ? 4 : undefined);
    const digits = fewest === undefined ? text : spellDecimal(name, Number(width), Number(scale), fewest);
    return { column, text: digits, isString: true };
  }
  // The digits of a decimal that is text can't be counted here.
  if (isDecimal(unit)) return undefined;
  if (type === 'VARCHAR') return { column, text: name, isString: true };
  return type === 'DATE' || type.startsWith('ENUM(') ? { column, text, isString: true } : undefined;
}

/** Removes trailing zeros beyond the fewest decimals, or adds missing ones. */
function spellDecimal(name: string, width: number, scale: number, fewest: number): string {
  const text = `CAST(${name} AS VARCHAR)`;
  if (fewest > scale) return `${text} || '${scale === 0 ? '.' : ''}${'0'.repeat(fewest - scale)}'`;
  // Keeps the integer digits. A value that rounding would change is NULL and doesn't match.
  const round = (digits: number) => `TRY_CAST(${name} AS DECIMAL(${width + digits - scale},${digits}))`;
  const shorter = Array.from({ length: scale - fewest }, (_, index) => round(fewest + index));
  const cases = shorter.map((decimal) => `WHEN ${name} = ${decimal} THEN CAST(${decimal} AS VARCHAR)`);
  return cases.length === 0 ? text : `CASE ${cases.join(' ')} ELSE ${text} END`;
}

/** Tests whether values can hold any character, unlike dates and decimals. */
function hasAnyText({ type, unit }: TypedColumn): boolean {
  return type !== 'DATE' && !isDecimal(unit);
}

function spellCell(text: string, separator: string): string {
  const quotable = `["${separator}\\r\\n]`;
  const has = (pattern: string) => `regexp_matches(${text}, ${quoteText(pattern)})`;
  const disarmed = `CASE WHEN ${has(FORMULA)} THEN '''' || ${text} ELSE ${text} END`;
  const quoted = `'"' || replace(${disarmed}, '"', '""') || '"'`;
  return `CASE WHEN NOT ${has(`${FORMULA}|${quotable}`)} THEN ${text} WHEN ${has(quotable)} THEN ${quoted} ELSE ${disarmed} END`;
}

/** Splits a string of JSON into the array of its words. */
function spellList(string: string): string {
  return `'[' || replace(${string}, ${quoteText(LIST_SEPARATOR)}, '","') || ']'`;
}

function spellString(text: string, column: TypedColumn): string {
  const plain = `'"' || ${text} || '"'`;
  if (!hasAnyText(column)) return plain;
  const all = ESCAPES.reduce((sql, [code, escaped]) => `replace(${sql}, chr(${code}), ${quoteText(escaped)})`, text);
  return `CASE WHEN regexp_matches(${text}, ${quoteText(ESCAPED)}) THEN '"' || ${all} || '"' ELSE ${plain} END`;
}
