const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Returns a day in words, such as "26 August 2025". @param day As YYYY-MM-DD. */
export function spellDay(day: string): string {
  return `${Number(day.slice(8))} ${spellMonth(day)}`;
}

/** Returns the month of a day in words, such as "August 2025". */
export function spellMonth(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}
