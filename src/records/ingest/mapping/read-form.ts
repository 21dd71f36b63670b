import type { Field } from '../../resource/field.ts';
import { COMMON_DATE_FORMATS, parseDateFormat } from './date-format.ts';
import { DECIMAL_MARKS } from './decimal-text.ts';
import { HOURS_FORMATS } from './hours-text.ts';
import { AMOUNT_UNITS, codeOf, foldWord, type Notation, type Words } from './notation.ts';
import type { YamlValue } from './yaml-reader.ts';

/** The names of the parts that say how values are written. */
export const NOTATION_KEYS = ['dates', 'decimal', 'hours', 'amounts', 'day_hours', 'words'] as const;

/** The words in one place of a mapping. Unit: words. */
export const MAX_MAPPING_WORDS = 1_000;

/** The most hours of a day. */
const MAX_DAY_HOURS = 24;

/** The form of values in a part of the mapping, and the words in it. */
export interface Form {
  readonly notation: Notation;
  readonly words: Words;
}

/** Reads the form of values at one level, on top of that around it. */
export function readForm(
  members: Readonly<Partial<Record<(typeof NOTATION_KEYS)[number], YamlValue>>>,
  around: Form,
  field?: Field,
): Form {
  const { dates, decimal, hours, amounts, day_hours: dayHours, words } = members;
  const own = {
    ...(dates && { dates: readDates(dates) }),
    ...(decimal && { decimal: decimal.oneOf(DECIMAL_MARKS) }),
    ...(hours && { hours: hours.oneOf(HOURS_FORMATS) }),
    ...(amounts && { amounts: amounts.oneOf(AMOUNT_UNITS) }),
    ...(dayHours && { dayHours: readDayHours(dayHours) }),
  };
  return {
    notation: { ...around.notation, ...own },
    words: words ? new Map([...around.words, ...readWords(words, field)]) : around.words,
  };
}

function readDates(value: YamlValue): Notation['dates'] {
  const format = parseDateFormat(value.text());
  return format ?? value.fail(`is ${value.text()}, which is no format of days`, `Write ${COMMON_DATE_FORMATS}.`);
}

function readDayHours(value: YamlValue): number {
  const { value: given } = value;
  if (typeof given === 'number' && given > 0 && given <= MAX_DAY_HOURS) return given;
  return value.fail(
    `is ${String(given)}, not the hours of a day`,
    `Write a number up to ${MAX_DAY_HOURS}, such as 7.5.`,
  );
}

function readWords(value: YamlValue, field: Field | undefined): [string, string | number | boolean][] {
  const words = value.entries();
  if (words.length > MAX_MAPPING_WORDS)
    value.fail(`has more than ${MAX_MAPPING_WORDS} words`, 'Leave out unused ones.');
  return words.map(([word, meaning]) => {
    const { value: given } = meaning;
    if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean')
      return meaning.fail('is no code', 'Write true, false, or the number or the name of a code.');
    assertCode(meaning, field, given);
    if (field?.type === 'boolean' && typeof given !== 'boolean') meaning.fail(`is ${given}`, 'Write true or false.');
    return [foldWord(word), given];
  });
}

/**
 * Returns the code or the word of a field that a meaning stands for, as text; undefined if the field has neither.
 * @throws AppError input if it is none of them.
 */
export function assertCode(
  value: YamlValue,
  field: Field | undefined,
  given: string | number | boolean,
): string | undefined {
  const known: Readonly<Record<string, string>> | undefined = field?.codes ?? field?.words;
  if (!known) return undefined;
  const code = codeOf(known, given);
  if (code !== undefined) return code;
  const names = Object.entries(known).map(([each, name]) => (field?.codes ? `${each} ${name}` : each));
  const kind = field?.codes ? 'no code' : 'no word that is known';
  return value.fail(`is ${String(value.value)}, which is ${kind}`, `Write one of ${names.join(', ')}.`);
}
