import { FIRST_DATE, isDay, LAST_DATE } from '../../base/calendar/index.ts';
import type { Value } from '../../base/database/index.ts';
import { Exact, type ExactDecimal, isObject } from '../../base/index.ts';
import {
  AMOUNT_LIMIT,
  decimalsOf,
  EFFORT_LIMIT,
  type Field,
  type FieldType,
  HOURS_PER_DAY,
  MAX_INTEGER,
  MAX_JSON_PARTS,
  MIN_INTEGER,
  MONEY_DECIMALS,
  NOT_A_WEEK,
  OUTSIDE_DAY,
  OUTSIDE_PERCENT,
  RATE_LIMIT,
  WHOLE_PERCENT,
} from '../../records/resource/index.ts';
import { parseNested, splitIds, splitWeek, tryStringify } from './list-text.ts';

/** The result of parsing a sent value: its database form, or an error message. */
export type Parsed = { readonly value: Value } | { readonly fault: string };

/** Significant digits of a JSON number; further ones are the client's floating-point noise (1.2). */
const SIGNIFICANT_DIGITS = 15;

const PLAIN_DECIMAL = /^-?(\d+(\.\d*)?|\.\d+)$/;

const WHOLE_NUMBER = /^-?\d+(\.0*)?$/;

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The length of YYYY-MM-DD. Unit: characters. */
const DAY_CHARACTERS = 10;

const TIME_OF_DAY = /^[ T]\d{2}:\d{2}(:\d{2})?$/;

/** Returns whether a sent date has a time of day, which isn't kept. */
export function hasTimeOfDay({ hasTime = false }: Field, sent: unknown): boolean {
  return hasTime && typeof sent === 'string' && TIME_OF_DAY.test(sent.slice(DAY_CHARACTERS));
}

/**
 * Parses a JSON value as a field's value; blank values are null.
 * Applies the rules of a dataset (1.2), which ingest implements in SQL.
 */
export function parseValue(field: Field, sent: unknown): Parsed {
  if (isBlank(field, sent)) return { value: sent === '' && field.type === 'name' ? '' : null };
  return PARSERS[field.type](sent, field);
}

/** Parses an id; null if there is none, or what was sent isn't one. */
export function parseSentId(sent: unknown): number | null {
  const parsed = parseValue({ type: 'id' }, sent);
  return 'value' in parsed && parsed.value !== null ? Number(parsed.value) : null;
}

function isBlank({ type }: Field, sent: unknown): boolean {
  if (sent === undefined || sent === null || sent === '') return true;
  return type === 'id' && isScalar(sent) && /^(0+(\.0*)?)$/.test(String(sent));
}

const PARSERS: Readonly<Record<FieldType, (sent: unknown, field: Field) => Parsed>> = {
  id: (sent) => parseWhole(sent, 1, Number.MAX_SAFE_INTEGER) ?? { fault: 'not an id' },
  key: parseText,
  name: parseText,
  text: parseText,
  tag: (sent) => {
    const parsed = parseText(isObject(sent) ? sent['name'] : sent);
    return 'value' in parsed ? { value: String(parsed.value).trim().toLowerCase() || null } : parsed;
  },
  word: (sent, { words = {} }) => {
    const parsed = parseText(sent);
    if (!('value' in parsed)) return parsed;
    const word = String(parsed.value).trim().toLowerCase();
    if (word === '' || Object.hasOwn(words, word)) return { value: word || null };
    return { fault: `not one of ${Object.keys(words).join(', ')}` };
  },
  boolean: (sent) => {
    const text = isScalar(sent) ? String(sent).toLowerCase() : '';
    if (['1', '1.0', 'true'].includes(text)) return { value: true };
    return ['0', '0.0', 'false'].includes(text) ? { value: false } : { fault: 'not true or false' };
  },
  integer: parseInteger,
  hours: (sent, field) => parseUpTo(sent, field, HOURS_PER_DAY, OUTSIDE_DAY),
  effort: (sent, field) => parseBelow(sent, field, EFFORT_LIMIT),
  percent: (sent, field) => parseUpTo(sent, field, WHOLE_PERCENT, OUTSIDE_PERCENT),
  week: parseWeek,
  rate: (sent, field) => parseBelow(sent, field, RATE_LIMIT),
  amount: (sent, field) => (field.isSigned ? parseSigned(sent, AMOUNT_LIMIT) : parseBelow(sent, field, AMOUNT_LIMIT)),
  date: (sent, field) => {
    const whole = typeof sent === 'string' ? sent : '';
    const text = hasTimeOfDay(field, sent) ? whole.slice(0, DAY_CHARACTERS) : whole;
    if (!isDay(text)) return { fault: 'not a day written YYYY-MM-DD' };
    return text >= FIRST_DATE && text <= LAST_DATE
      ? { value: text }
      : { fault: `outside ${FIRST_DATE} to ${LAST_DATE}` };
  },
  timestamp: parseTimestamp,
  color: (sent) => {
    const [, digits] = /^#?([0-9A-Fa-f]{6})$/.exec(String(isScalar(sent) ? sent : '')) ?? [];
    return digits === undefined ? { fault: 'not six hexadecimal digits' } : { value: digits };
  },
  ids: parseIds,
  json: parseJson,
};

/** Lone surrogates can't be encoded as UTF-8. */
const HALF_PAIR = /\p{Cs}/gu;

function parseText(sent: unknown): Parsed {
  if (typeof sent === 'number') return { value: String(sent) };
  if (typeof sent !== 'string') return { fault: 'not a text' };
  if (sent.includes('\0')) return { fault: 'it contains the character U+0000' };
  return { value: sent.replace(HALF_PAIR, '\ufffd') };
}

function parseWhole(sent: unknown, least: number, greatest: number): Parsed | undefined {
  if (typeof sent !== 'number' && typeof sent !== 'string') return undefined;
  const text = String(sent);
  const number = Number(text);
  return WHOLE_NUMBER.test(text) && number >= least && number <= greatest ? { value: number || 0 } : undefined;
}

function parseInteger(sent: unknown, { codes, min, max }: Field): Parsed {
  const parsed = parseWhole(sent, MIN_INTEGER, MAX_INTEGER);
  const number = parsed && 'value' in parsed ? Number(parsed.value) : undefined;
  if (codes) {
    if (number !== undefined && number in codes) return { value: number };
    return { fault: `not one of ${Object.keys(codes).join(', ')}` };
  }
  if (min === undefined || max === undefined) {
    const flag = PARSERS.boolean(sent, { type: 'boolean' });
    if (number === undefined && 'value' in flag) return { value: Number(flag.value) };
    return number === undefined ? { fault: 'not an integer' } : { value: number };
  }
  if (number === undefined) return { fault: 'not an integer' };
  if (number >= min && number <= max) return { value: number };
  return { fault: `outside ${min} to ${max}` };
}

function parseBelow(sent: unknown, field: Field, limit: string): Parsed {
  return parsePositive(sent, decimalsOf(field), (decimal) => faultAbove(decimal, limit), 'below 0');
}

function parseUpTo(sent: unknown, field: Field, most: number, outside: string): Parsed {
  return parsePositive(sent, decimalsOf(field), (decimal) => (decimal.lte(most) ? undefined : outside), outside);
}

function parseSigned(sent: unknown, limit: string): Parsed {
  return parseDecimal(sent, MONEY_DECIMALS, (decimal) =>
    decimal.gt(`-${limit}`) ? faultAbove(decimal, limit) : `not above -${limit}`,
  );
}

function faultAbove(decimal: ExactDecimal, limit: string): string | undefined {
  return decimal.lt(limit) ? undefined : `not below ${limit}`;
}

/** Returns the error of a decimal, which is rounded already. */
type FindFault = (decimal: ExactDecimal) => string | undefined;

/** Parses a decimal that may not be negative. @param findFault Is called with those that aren't. */
function parsePositive(sent: unknown, decimals: number, findFault: FindFault, negative: string): Parsed {
  return parseDecimal(sent, decimals, (decimal) => (decimal.lt(0) ? negative : findFault(decimal)));
}

/** Parses a decimal, rounding half away from zero. */
function parseDecimal(sent: unknown, decimals: number, findFault: FindFault): Parsed {
  const text = exactText(sent);
  if (text === undefined) return { fault: 'not a number' };
  const decimal = new Exact(text).toDecimalPlaces(decimals, Exact.ROUND_HALF_UP);
  const fault = findFault(decimal);
  // The rounded -0.0000001 is -0.
  return fault === undefined ? { value: formatStored(decimal.isZero() ? decimal.abs() : decimal) } : { fault };
}

/** Formats a decimal as the database gives it: with 4 decimals if it has no more. */
function formatStored(decimal: ExactDecimal): string {
  return decimal.toFixed(Math.max(MONEY_DECIMALS, decimal.decimalPlaces()));
}

/** Returns the decimal's exact text: all digits of a string, the first 15 of a number. */
function exactText(sent: unknown): string | undefined {
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent.toPrecision(SIGNIFICANT_DIGITS) : undefined;
  return typeof sent === 'string' && PLAIN_DECIMAL.test(sent) ? sent : undefined;
}

/** Parses an array or comma-separated text. */
function parseWeek(sent: unknown): Parsed {
  const week = typeof sent === 'string' ? splitWeek(sent) : sent;
  if (!Array.isArray(week) || week.length !== 7) return { fault: NOT_A_WEEK };
  const days = week.map((hours) => parseValue({ type: 'hours' }, hours));
  const values = days.flatMap((day) => ('value' in day && day.value !== null ? [day.value] : []));
  return values.length === 7 ? { value: values } : { fault: NOT_A_WEEK };
}

/** Parses an array, its JSON text, or comma-separated ids. */
function parseIds(sent: unknown): Parsed {
  const items = typeof sent === 'object' ? sent : splitIds(String(sent));
  const parsed = (Array.isArray(items) ? items : [undefined]).map((id) => parseValue({ type: 'id' }, id));
  const ids = parsed.flatMap((id) => ('value' in id && id.value !== null ? [id.value] : []));
  return ids.length === parsed.length ? { value: ids } : { fault: 'not a list of ids' };
}

/** Parses any JSON value into its JSON text; text that is a JSON list or object is kept. */
function parseJson(sent: unknown): Parsed {
  const isText = typeof sent === 'string' && parseNested(sent) !== undefined;
  const text = isText ? sent : tryStringify(sent);
  if (text === undefined || text.replaceAll(/[^[{]/g, '').length > MAX_JSON_PARTS)
    return { fault: `more than ${MAX_JSON_PARTS} lists and objects` };
  return { value: text.replaceAll(HALF_PAIR, '\ufffd') };
}

function parseTimestamp(sent: unknown): Parsed {
  const fault = 'not a time written YYYY-MM-DD HH:MM:SS';
  const [, day = '', minutes = '00:00', seconds = '00', zone = 'Z'] =
    TIME.exec(typeof sent === 'string' ? sent : '') ?? [];
  const offset = /^[+-]\d{2}$/.test(zone) ? `${zone}:00` : zone;
  const time = new Date(`${day}T${minutes}:${seconds}${offset}`);
  if (!isDay(day) || Number.isNaN(time.getTime())) return { fault };
  const text = time.toISOString();
  // The zone may move it beyond the years with 4 digits.
  return /^\d{4}-/.test(text) ? { value: text.slice(0, 19).replace('T', ' ') } : { fault };
}

function isScalar(sent: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof sent);
}
