/*
 * The names of months and weekdays in the languages of the programs whose files are read, whole and short.
 */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'it'];

/** Short forms that programs write besides those of the platform. */
const OTHER_MONTHS: Readonly<Record<string, number>> = { mrz: 3, sept: 9, set: 9, maart: 3 };

/** The languages' names, by their form without case and points. */
const months = new Map<string, number>(Object.entries(OTHER_MONTHS));
const weekdays = new Set<string>();

for (const language of LANGUAGES) {
  for (const style of ['long', 'short'] as const) {
    const monthOf = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
    const weekdayOf = new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1)
      months.set(fold(monthOf.format(Date.parse(`2026-${String(month).padStart(2, '0')}-15T00:00:00Z`))), month);
    for (let day = 1; day <= 7; day += 1) weekdays.add(fold(weekdayOf.format(Date.parse(`2026-03-0${day}T00:00:00Z`))));
  }
}

/** Returns the number of a month, from 1; undefined for another word. */
export function monthNamed(word: string): number | undefined {
  return months.get(fold(word));
}

export function isWeekdayName(word: string): boolean {
  return weekdays.has(fold(word));
}

function fold(word: string): string {
  return word.normalize('NFC').toLowerCase().replaceAll('.', '');
}
