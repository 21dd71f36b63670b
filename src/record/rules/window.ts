import { LAST_DATE } from '../../resource/field.ts';
import { parseLiteral } from '../filters.ts';
import type { Shape } from '../shape.ts';
import type { Rules } from './rules.ts';

const DATE = { type: 'date' } as const;

/**
 * Returns the filters start_date and end_date, which select what has an occurrence within both dates (D2, D3).
 * Reads the records and models over them alone, so it shows what no refresh has reached yet.
 * Only repeats of items that can reach those dates are worked out: any other item is told by its own two dates.
 * @param kind The kind of core.items.
 */
export function windowFilters({ id }: Shape, kind: 'allocation' | 'time off'): NonNullable<Rules['filters']> {
  const reaches = (from: string, to: string) =>
    `kind = '${kind}' AND start_date <= ${to} AND repeat_end_date >= ${from}`;
  const shows = (from: string, to: string) => `start_date <= ${to} AND (end_date >= ${from} OR ${id} IN (
      SELECT item_id FROM core.items WHERE is_unbroken AND ${reaches(from, to)}
      UNION ALL
      SELECT item_id FROM core.repeats WHERE first_date <= ${to} AND last_date >= ${from} AND ${reaches(from, to)}))`;
  return {
    start_date: (text, sent) => {
      const from = parseDay(text);
      const to = sent.get('end_date') ?? LAST_DATE;
      if (to < text) throw new Error(`${text} is after end_date`);
      // What is wrong with end_date is told by its own filter.
      return isDay(to) ? shows(from, parseDay(to)) : 'TRUE';
    },
    // The first occurrence always counts whole, so with no first day what begins in time is shown.
    end_date: (text, sent) => {
      const to = parseDay(text);
      return sent.has('start_date') ? 'TRUE' : `start_date <= ${to}`;
    },
  };
}

/** @throws Error saying what is wrong. */
function parseDay(text: string): string {
  const literal = parseLiteral(DATE, text);
  if (literal === 'NULL') throw new Error('no day is given');
  return literal;
}

function isDay(text: string): boolean {
  try {
    return parseDay(text) !== '';
  } catch {
    return false;
  }
}
