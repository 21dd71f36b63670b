import { FIRST_DATE, LAST_DATE } from '../../resource/field.ts';
import { parseLiteral } from '../filters.ts';
import type { Shape } from '../shape.ts';
import type { Rules } from './rules.ts';

const DATE = { type: 'date' } as const;

/**
 * Returns the filters start_date and end_date of what lies on the schedule: they select, both included, what has an occurrence in those dates.
 * The model of occurrences (D2, D3) reads the records themselves, so it also shows what no refresh has reached yet.
 * @param kind The kind of core.occurrences.
 */
export function windowFilters({ id }: Shape, kind: 'allocation' | 'time off'): NonNullable<Rules['filters']> {
  const shows = (from: string, to: string) =>
    `${id} IN (SELECT item_id FROM core.occurrences WHERE kind = '${kind}' AND first_date <= ${to} AND last_date >= ${from})`;
  return {
    start_date: (text, sent) => {
      const from = parseDay(text);
      const to = sent.get('end_date') ?? LAST_DATE;
      if (to < text) throw new Error(`${text} is after end_date`);
      // What is wrong with end_date is told by its own filter.
      return isDay(to) ? shows(from, parseDay(to)) : 'TRUE';
    },
    end_date: (text, sent) => {
      const to = parseDay(text);
      return sent.has('start_date') ? 'TRUE' : shows(`DATE '${FIRST_DATE}'`, to);
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
