import { LAST_DATE } from '../../../base/calendar/index.ts';
import type { Resource } from '../../../records/resource/index.ts';
import { parseLiteral } from '../filters.ts';
import type { Rules } from './rules.ts';

const DATE = { type: 'date' } as const;

/**
 * Returns the filters start_date and end_date: records with an occurrence in the window (D2, D3).
 * Reads records and views only, so that it includes writes not refreshed yet.
 * Expands repeats only for items that can reach the window.
 * @param kind The kind of core.items.
 */
export function windowFilters({ id }: Resource, kind: 'allocation' | 'time off'): NonNullable<Rules['filters']> {
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
      // The filter end_date reports its own errors.
      return isDay(to) ? shows(from, parseDay(to)) : 'TRUE';
    },
    // The first occurrence counts as a whole, so the start date alone decides.
    end_date: (text, sent) => {
      const to = parseDay(text);
      return sent.has('start_date') ? 'TRUE' : `start_date <= ${to}`;
    },
  };
}

/** @throws Error with the reason. */
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
