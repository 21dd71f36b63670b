export {
  type Calendar,
  countWorkDays,
  type Days,
  dayIn,
  daysBetween,
  endOfDayMs,
  endOfMonth,
  FIRST_DATE,
  isAllowedDay,
  isDay,
  LAST_DATE,
  monthsBetween,
  moveDay,
  type Period,
  periodOf,
} from './day.ts';
export { isWeekdayName, monthNamed } from './day-names.ts';
export { spellDay, spellDaysAfter, spellMonth } from './day-words.ts';
export {
  ALLOWED_COUNTS,
  ALLOWED_DAYS,
  ALLOWED_PERIODS,
  COUNTED_PERIOD,
  FIXED_PERIOD,
  MAX_COUNTED_PERIODS,
  MOVING_PERIODS,
  PERIOD_PATTERN,
  readPeriod,
} from './named-period.ts';
export { openZone, type TimeZone } from './zone.ts';
