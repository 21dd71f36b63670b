import { type Days, endOfMonth, spellDay, spellMonth } from '../../../base/calendar/index.ts';

/** Returns the name of a period for files: 2026-05, 2026-05-04 or 2026-05-04..2026-05-10. */
export function spellDays({ startDate, endDate }: Days): string {
  if (startDate === endDate) return startDate;
  return isMonth({ startDate, endDate }) ? startDate.slice(0, 7) : `${startDate}..${endDate}`;
}

/** Returns a period in words: May 2026, 4 May 2026, or 4 May 2026 to 10 May 2026. */
export function sayPeriod({ startDate, endDate }: Days): string {
  if (isMonth({ startDate, endDate })) return spellMonth(startDate);
  return startDate === endDate ? spellDay(startDate) : `${spellDay(startDate)} to ${spellDay(endDate)}`;
}

function isMonth({ startDate, endDate }: Days): boolean {
  return startDate.endsWith('-01') && endDate === endOfMonth(startDate);
}
