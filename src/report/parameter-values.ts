import { FIRST_DATE, isDay, LAST_DATE } from '../resource/field.ts';
import type { Parameter } from './catalogue.ts';

/** The most rows or lines on a page. Unit: rows. */
export const MAX_PER_PAGE = 1_000_000;

/** Returns the error message of a parameter's text, with the allowed values; undefined if valid. */
export function findFault(parameter: Parameter, text: string): string | undefined {
  const { name, type, values } = parameter;
  const wrong = (reason: string, allowed: string) => `${name}: ${JSON.stringify(text)} ${reason}; ${allowed}`;
  if (type === 'date') {
    if (!isDay(text)) return wrong('is not a date', `give ${allowedValues(parameter)}`);
    if (text < FIRST_DATE || text > LAST_DATE)
      return wrong('is out of range', `give a day from ${FIRST_DATE} to ${LAST_DATE}`);
  }
  if (type === 'choice' && !(values as readonly string[]).includes(text)) {
    return wrong('is not allowed', `give ${allowedValues(parameter)}`);
  }
  if (type === 'flag' && !/^[01]$/.test(text)) return wrong('is not a flag', 'give 0 or 1');
  if (type === 'count' && (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > MAX_PER_PAGE)) {
    return wrong('is not a count', `give a whole number from 1 to ${MAX_PER_PAGE}`);
  }
  if (type === 'list') {
    const right = new RegExp(`^(?:${itemPattern(parameter)})$`);
    const bad = text.split(',').find((item) => !right.test(item));
    if (bad !== undefined)
      return wrong(
        bad === text ? 'is not allowed' : `holds ${JSON.stringify(bad)}`,
        `give ${allowedValues(parameter)}`,
      );
  }
  return undefined;
}

/** Returns the pattern of a value or list item, in the syntax shared by JavaScript and the engine. */
export function itemPattern({ values, filter }: Parameter): string {
  const none = filter ? '|none' : '';
  if (Array.isArray(values)) return `${values.join('|')}${none}`;
  if (values === 'ids') return `\\d{1,18}${none}`;
  return values === 'flags' ? `[01]${none}` : '[^,]+';
}

export function allowedValues({ type, values, filter }: Parameter): string {
  if (type === 'date') return 'a real day as YYYY-MM-DD';
  const none = filter ? ', or none' : '';
  if (type === 'choice') return `one of ${(values as readonly string[]).join(', ')}`;
  if (Array.isArray(values)) return `one or more of ${values.join(', ')}, with commas between them${none}`;
  if (values === 'ids') return `ids with commas between them${none}`;
  return values === 'flags' ? `1 or 0${none}` : `one or more, with commas between them${none}`;
}
