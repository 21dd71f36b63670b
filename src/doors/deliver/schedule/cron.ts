import { Cron } from 'croner';
import { messageOf } from '../../../base/index.ts';

/** The moments of a cron expression in a time zone. */
export interface Schedule {
  /** Returns the moments after a time, in their order. */
  next(after: Date, count: number): Date[];
  /** Returns the last moment at or before a time; undefined if there is none. */
  latest(upTo: Date): Date | undefined;
}

/** The ranges of minutes and hours. */
const HIGHEST = [59, 23];

/** The way out of a wrong expression. */
export const CRON_FORM =
  'Write minute, hour, day of month, month and weekday, such as "0 7 3 * *", or new_data, or closed.';

/**
 * Opens a schedule of five fields. A moment that summer time skips comes at the first one after it, and one that it repeats
 * comes once: so the library treats lists, which is why `*` and steps of minutes and hours become lists.
 */
export function openSchedule(expression: string, timeZone: string): Schedule {
  const [minute = '', hour = '', ...days] = expression.trim().split(/\s+/);
  const fields = [minute, hour].map((field, index) => listField(field, HIGHEST[index] ?? 0));
  const cron = new Cron([...fields, ...days].join(' '), {
    timezone: timeZone,
    mode: '5-part',
    fixedTimeRule: 'no-wildcard',
  });
  return {
    next: (after, count) => cron.nextRuns(count, after),
    latest(upTo) {
      // A run within the same second as the reference is the last one.
      const [last] = cron.previousRuns(1, new Date(upTo.getTime() + 1));
      return last;
    },
  };
}

/** Returns what is wrong with an expression, if anything. */
export function findCronFault(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) return `"${expression}" has ${fields.length} fields instead of 5`;
  if (fields[2] !== '*' && fields[4] !== '*')
    return `"${expression}" names a day of the month and a weekday, of which cron takes either`;
  try {
    // The years from then on have every combination of day and month.
    const isNever = openSchedule(expression, 'UTC').next(new Date('2000-01-01T00:00:00Z'), 1).length === 0;
    return isNever ? `"${expression}" never comes` : undefined;
  } catch (error) {
    return `"${expression}" is no cron expression (${messageOf(error).replace('CronPattern: ', '')})`;
  }
}

/** Returns the numbers of a field of minutes or hours, with commas between them; any other text unchanged, for the library to refuse. */
function listField(field: string, highest: number): string {
  const numbers = new Set<number>();
  for (const part of field.split(',')) {
    const [whole, range = '', step = '1'] = /^(\*|\d+(?:-\d+)?)(?:\/(\d+))?$/.exec(part) ?? [];
    if (whole === undefined || Number(step) < 1 || (whole.includes('/') && /^\d+$/.test(range))) return field;
    const [first = 0, last = first] = range === '*' ? [0, highest] : range.split('-').map(Number);
    if (first > last || last > highest) return field;
    for (let number = first; number <= last; number += Number(step)) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other).join(',');
}
