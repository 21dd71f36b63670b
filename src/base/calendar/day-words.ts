import { daysBetween, moveDay, weekdayOf } from './day.ts';

const [SUNDAY, SATURDAY] = [0, 6];

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Returns a day in words, such as "26 August 2025". @param day As YYYY-MM-DD. */
export function spellDay(day: string): string {
  return `${Number(day.slice(8))} ${spellMonth(day)}`;
}

/** Returns the month of a day in words, such as "August 2025". */
export function spellMonth(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

/**
 * Returns words for the days after one day up to another, on which nobody works, such as "the weekend after it".
 * @param last Later than the day.
 */
export function spellDaysAfter(day: string, last: string): string {
  const days = Array.from({ length: daysBetween(day, last) }, (_, index) => weekdayOf(moveDay(day, 'day', index + 1)));
  const [first] = days;
  const isFree = (weekday: number | undefined) => weekday === SATURDAY || weekday === SUNDAY;
  if (days.length === 2 && days.every(isFree)) return 'the weekend after it';
  if (days.length > 1) return `the ${days.length} days after it, on which nobody has capacity`;
  if (isFree(first)) return `the ${first === SATURDAY ? 'Saturday' : 'Sunday'} after it`;
  return 'the day after it, on which nobody has capacity';
}
