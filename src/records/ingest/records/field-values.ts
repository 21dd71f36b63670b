import { FIRST_DATE, LAST_DATE } from '../../../base/calendar/index.ts';
import { quoteText } from '../../../base/database/index.ts';
import {
  AMOUNT_LIMIT,
  EFFORT_LIMIT,
  type Field,
  type FieldType,
  HOURS_PER_DAY,
  MAX_JSON_PARTS,
  NOT_A_WEEK,
  OUTSIDE_DAY,
  OUTSIDE_PERCENT,
  RATE_LIMIT,
  SQL_TYPES,
  WHOLE_PERCENT,
} from '../../resource/field.ts';
import { listItems } from './lists.ts';
import {
  dayValue,
  jsonText,
  numberOrFlag,
  plainText,
  type RawText,
  timeValue,
  trimmed,
  wholeNumber,
} from './text-values.ts';

/** A field of a record and SQL for its raw value. */
export interface RawField extends RawText {
  readonly name: string;
  readonly field: Field;
}

/** A fault of a readable value: an SQL condition and its message. */
export interface ValueFault {
  readonly condition: string;
  readonly reason: string;
}

interface FieldReader {
  /** The value; null if the text isn't one. Decimals are read from `<name>_text`, their exact text. */
  value(raw: RawField): string;
  unreadable(raw: RawField): string;
  faults?(raw: RawField): ValueFault[];
}

const BELOW_0 = 'below 0';

/** Returns the reason of a signed amount that is too small. */
function notAbove(limit: string): string {
  return `not above -${limit}`;
}

function decimalBelow(limit: string): FieldReader {
  const tooLarge = `not below ${limit}`;
  return {
    value: exactValue,
    unreadable: ({ name, field }) => {
      const tooSmall = field.isSigned ? notAbove(limit) : BELOW_0;
      return decimalReason(
        name,
        `CASE WHEN ${name}_text LIKE '-%' THEN '${name}: ${tooSmall}' ELSE '${name}: ${tooLarge}' END`,
      );
    },
    faults: ({ name, field }) => [
      field.isSigned
        ? { condition: `${name} <= -${limit}`, reason: notAbove(limit) }
        : { condition: `${name} < 0`, reason: BELOW_0 },
      { condition: `${name} >= ${limit}`, reason: tooLarge },
    ],
  };
}

/** Reads decimals from 0 to a greatest one. */
function decimalUpTo(most: number, outside: string): FieldReader {
  return {
    value: exactValue,
    unreadable: ({ name }) => decimalReason(name, quoteText(`${name}: ${outside}`)),
    faults: ({ name }) => [{ condition: `${name} NOT BETWEEN 0 AND ${most}`, reason: outside }],
  };
}

function exactValue({ name, field }: RawField): string {
  return `TRY_CAST(${name}_text AS ${SQL_TYPES[field.type]})`;
}

/** Reads texts as clients may send them: no body of a request may hold U+0000. */
function textReader(value: FieldReader['value']): FieldReader {
  return {
    value,
    unreadable: notA('a text'),
    faults: ({ name }) => [{ condition: `contains(${name}, chr(0))`, reason: 'it contains the character U+0000' }],
  };
}

const FIELD_READERS: Readonly<Record<FieldType, FieldReader>> = {
  id: {
    value: ({ text }) => `NULLIF(${wholeNumber(text, 'BIGINT')}, 0)`,
    unreadable: notA('an id'),
    faults: ({ name }) => [{ condition: `${name} < 0`, reason: 'not an id' }],
  },
  key: textReader((raw) => `NULLIF(${plainText(raw)}, '')`),
  name: textReader(plainText),
  text: textReader((raw) => `NULLIF(${plainText(raw)}, '')`),
  word: {
    value: (raw) => `NULLIF(lower(${trimmed(plainText(raw))}), '')`,
    unreadable: notA('a text'),
    faults: ({ name, field: { words = {} } }) => [
      {
        condition: `NOT list_contains([${Object.keys(words).map(quoteText).join(', ')}], ${name})`,
        reason: notOneOf(words),
      },
    ],
  },
  tag: textReader((raw) => `NULLIF(lower(${trimmed(plainText(raw))}), '')`),
  boolean: {
    value: ({ text }) => `CASE WHEN ${text} IN ('1', 'true') THEN TRUE WHEN ${text} IN ('0', 'false') THEN FALSE
      WHEN lower(${text}) IN ('1.0', 'true') THEN TRUE WHEN lower(${text}) IN ('0.0', 'false') THEN FALSE END`,
    unreadable: notA('true or false'),
  },
  integer: {
    value: ({ text, field }) => (isOpen(field) ? numberOrFlag(text) : wholeNumber(text, 'INTEGER')),
    unreadable: ({ name, field }) => quoteText(`${name}: ${field.codes ? notOneOf(field.codes) : 'not an integer'}`),
    faults: integerFaults,
  },
  hours: decimalUpTo(HOURS_PER_DAY, OUTSIDE_DAY),
  effort: decimalBelow(EFFORT_LIMIT),
  percent: decimalUpTo(WHOLE_PERCENT, OUTSIDE_PERCENT),
  week: {
    value: exactValue,
    unreadable: ({ name }) => quoteText(`${name}: ${NOT_A_WEEK}`),
    faults: ({ name }) => {
      const inside = `list_filter(${name}, lambda h: h BETWEEN 0 AND ${HOURS_PER_DAY})`;
      return [{ condition: `len(${name}) <> 7 OR len(${inside}) <> 7`, reason: NOT_A_WEEK }];
    },
  },
  rate: decimalBelow(RATE_LIMIT),
  amount: decimalBelow(AMOUNT_LIMIT),
  date: {
    value: ({ text, field }) => dayValue(text, field.hasTime),
    unreadable: notA('a day written YYYY-MM-DD'),
    faults: ({ name }) => [
      {
        condition: `${name} NOT BETWEEN DATE '${FIRST_DATE}' AND DATE '${LAST_DATE}'`,
        reason: `outside ${FIRST_DATE} to ${LAST_DATE}`,
      },
    ],
  },
  timestamp: {
    value: ({ text }) => timeValue(text),
    unreadable: notA('a time written YYYY-MM-DD HH:MM:SS'),
  },
  color: {
    value: ({ text }) => `CASE WHEN regexp_full_match(${text}, '#?[0-9A-Fa-f]{6}') THEN right(${text}, 6) END`,
    unreadable: notA('six hexadecimal digits'),
  },
  ids: {
    value: ({ text }) =>
      `list_transform(${listItems(`NULLIF(${text}, '')`)}, lambda i: ${wholeNumber("json_extract_string(i, '$')", 'BIGINT')})`,
    unreadable: notA('a list of ids'),
    faults: ({ name }) => [
      { condition: `len(list_filter(${name}, lambda i: i > 0)) <> len(${name})`, reason: 'not a list of ids' },
    ],
  },
  json: {
    value: jsonText,
    unreadable: notA('a JSON value'),
    faults: ({ name }) => [
      {
        condition: `length(${name}) - length(translate(${name}, '[{', '')) > ${MAX_JSON_PARTS}`,
        reason: `more than ${MAX_JSON_PARTS} lists and objects`,
      },
    ],
  },
};

/** Returns SQL for the value of a field; null if it is missing or unreadable. */
export function fieldValue(raw: RawField): string {
  return FIELD_READERS[raw.field.type].value(raw);
}

/** Returns SQL that is true of a text that stands for no id: 0, in any notation, is a missing one. */
export function isNoId(text: string): string {
  return `regexp_full_match(${text}, '(0+([.]0*)?)?')`;
}

/** Returns SQL that is true of a text that stands for no value. */
export function isBlankText({ field, text }: RawField): string {
  if (field.type === 'id') return isNoId(text);
  return `${field.type === 'tag' || field.type === 'word' ? trimmed(text) : text} = ''`;
}

/** Returns SQL for the reason why a text that isn't blank is unreadable. */
export function unreadableReason(raw: RawField): string {
  return FIELD_READERS[raw.field.type].unreadable(raw);
}

export function fieldFaults(raw: RawField): ValueFault[] {
  return FIELD_READERS[raw.field.type].faults?.(raw) ?? [];
}

function notA(what: string): (raw: RawField) => string {
  return ({ name }) => quoteText(`${name}: not ${what}`);
}

/** Tells whether an integer has neither range nor codes: its valid values are unknown, some are flags. */
function isOpen({ codes, min, max }: Field): boolean {
  return codes === undefined && (min === undefined || max === undefined);
}

function integerFaults({ name, field }: RawField): ValueFault[] {
  if (field.codes) {
    const codes = Object.keys(field.codes).join(', ');
    // A long IN becomes a join, which loses the order of the rows.
    return [{ condition: `NOT list_contains([${codes}], ${name})`, reason: notOneOf(field.codes) }];
  }
  const { min, max } = field;
  if (min === undefined || max === undefined) return [];
  return [{ condition: `${name} NOT BETWEEN ${min} AND ${max}`, reason: `outside ${min} to ${max}` }];
}

function notOneOf(codes: Readonly<Record<string, string>>): string {
  return `not one of ${Object.keys(codes).join(', ')}`;
}

function decimalReason(name: string, tooLong: string): string {
  return `CASE WHEN ${name}_text IS NULL THEN '${name}: not a number' ELSE ${tooLong} END`;
}
