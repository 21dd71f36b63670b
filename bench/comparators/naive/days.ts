import {
  addDays,
  addMonths,
  addWeeks,
  addYears,
  differenceInCalendarDays,
  eachDayOfInterval,
  format,
  getDate,
  getDay,
  isSameMonth,
  min,
  parseISO,
  startOfMonth,
  subWeeks,
} from 'date-fns';
import { Decimal } from 'decimal.js';
import type { Allocation, Company, TimeOff } from './records.ts';

interface Day {
  readonly date: string;
  /** 0 is Sunday. */
  readonly weekday: number;
}

type Repeating = Allocation | TimeOff;

const weekSteps = new Map([
  [1, 1],
  [3, 2],
  [4, 3],
  [5, 6],
]);
const monthSteps = new Map([
  [2, 1],
  [6, 2],
  [7, 3],
  [8, 6],
  [9, 12],
]);

function occurrencesOf(item: Repeating, repeatEnd: Date): Day[][] {
  const start = parseISO(item.startDate);
  const end = parseISO(item.endDate);
  const occurrences = [daysBetween(start, end)];
  const weeks = weekSteps.get(item.repeatState);
  const months = monthSteps.get(item.repeatState) ?? 0;
  if (weeks === undefined && months === 0) return occurrences;
  const length = differenceInCalendarDays(end, start);
  for (let step = 1; ; step += 1) {
    const next = weeks === undefined ? sameWeekday(start, step * months) : addWeeks(start, step * weeks);
    if (next > repeatEnd) return occurrences;
    occurrences.push(daysBetween(next, min([addDays(next, length), repeatEnd])));
  }
}

/** Returns the same n-th weekday some months later, or the last one if there is no fifth. */
function sameWeekday(start: Date, months: number): Date {
  const first = addMonths(startOfMonth(start), months);
  const weeks = Math.floor((getDate(start) - 1) / 7);
  const day = addDays(first, ((getDay(start) - getDay(first) + 7) % 7) + 7 * weeks);
  return isSameMonth(day, first) ? day : subWeeks(day, 1);
}

function daysBetween(start: Date, end: Date): Day[] {
  return eachDayOfInterval({ start, end }).map((day) => ({ date: format(day, 'yyyy-MM-dd'), weekday: getDay(day) }));
}

/** Returns the item's own end, else the other, else two years after its start. */
function repeatEndOf(item: Repeating, otherwise: string | null | undefined): Date {
  const end = item.repeatEnd ?? otherwise;
  return end ? parseISO(end) : min([addYears(parseISO(item.startDate), 2), new Date(2099, 11, 31)]);
}

/** Creates a function that returns the dates on which a person works on an allocation. */
export function createCalendar({ settings, people, projects, timeOff }: Company) {
  const takenOn = new Map<string, { isFullDay: boolean; hours: Decimal }>();
  for (const item of timeOff.values()) {
    if (item.status !== 2) continue;
    for (const personId of item.personIds) {
      const days = occurrencesOf(item, repeatEndOf(item, people.get(personId)?.endDate)).flat();
      for (const date of new Set(days.map((day) => day.date))) {
        const key = `${personId} ${date}`;
        const taken = takenOn.get(key) ?? { isFullDay: false, hours: new Decimal(0) };
        takenOn.set(key, { isFullDay: taken.isFullDay || item.isFullDay, hours: taken.hours.plus(item.hours) });
      }
    }
  }

  const isEmployed = (personId: number, date: string): boolean => {
    const person = people.get(personId);
    if (person === undefined) return true;
    return date >= person.startDate && (person.endDate === null || date <= person.endDate);
  };

  const workHours = (personId: number, { date, weekday }: Day): Decimal => {
    const person = people.get(personId);
    const change = person?.weekChanges.findLast(({ from }) => from <= date);
    const week = change?.hours ?? person?.week ?? settings.week;
    return week[weekday] ?? new Decimal(0);
  };

  const isDayOff = (personId: number, day: Day): boolean => {
    const taken = takenOn.get(`${personId} ${day.date}`);
    return taken !== undefined && (taken.isFullDay || taken.hours.gte(workHours(personId, day)));
  };

  return (allocation: Allocation, personId: number): Set<string> => {
    const dates = new Set<string>();
    const repeatEnd = repeatEndOf(allocation, projects.get(allocation.projectId)?.endDate);
    for (const occurrence of occurrencesOf(allocation, repeatEnd)) {
      const employed = occurrence.filter((day) => isEmployed(personId, day.date));
      const working = employed.filter((day) => workHours(personId, day).gt(0));
      const counted = working.length === 0 ? employed : working.filter((day) => !isDayOff(personId, day));
      for (const day of counted) dates.add(day.date);
    }
    return dates;
  };
}
