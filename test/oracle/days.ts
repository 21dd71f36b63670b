import { addDays, addYears, daysBetween, daysOf, sameWeekdayAfterMonths, weekday } from './calendar.ts';
import { ALWAYS, type Allocation, type Clean, NEVER_AFTER, type TimeOff } from './clean.ts';
import { Exact, ZERO } from './exact.ts';

/** The step of D2 by repeat_state (1.4). */
const WEEK_STEPS: Record<number, number> = { 1: 7, 3: 14, 4: 21, 5: 42 };
const MONTH_STEPS: Record<number, number> = { 2: 1, 6: 2, 7: 3, 8: 6, 9: 12 };

/** D2: returns the start of the k-th occurrence after the first. */
function startOfOccurrence(firstStart: string, repeatState: number, k: number): string {
  const days = WEEK_STEPS[repeatState];
  if (days !== undefined) return addDays(firstStart, days * k);
  const months = MONTH_STEPS[repeatState];
  if (months !== undefined) return sameWeekdayAfterMonths(firstStart, months * k);
  throw new Error(`repeat_state ${repeatState}`);
}

/** D2: returns the days of each occurrence: the first whole, the others up to the repeat end. */
export function occurrences(
  item: { startDate: string; endDate: string; repeatState: number },
  repeatEnd: string,
): string[][] {
  const length = daysBetween(item.startDate, item.endDate) + 1;
  const found = [daysOf(item.startDate, item.endDate)];
  if (item.repeatState === 0) return found;
  for (let k = 1; ; k += 1) {
    const start = startOfOccurrence(item.startDate, item.repeatState, k);
    if (start > repeatEnd || start > NEVER_AFTER) return found;
    const days = daysOf(start, addDays(start, length - 1));
    found.push(days.filter((day) => day <= repeatEnd && day <= NEVER_AFTER));
  }
}

/** D3: merges occurrences that share a day. Expects them ordered by first day. */
export function longerOccurrences(found: readonly (readonly string[])[]): string[][] {
  const joined: Set<string>[] = [];
  for (const days of found) {
    const last = joined.at(-1);
    if (last && days.some((day) => last.has(day))) for (const day of days) last.add(day);
    else joined.push(new Set(days));
  }
  return joined.map((days) => [...days].sort());
}

function hoursOn(week: readonly Exact[], date: string): Exact {
  const hours = week[weekday(date)];
  if (hours === undefined) throw new Error('a week has 7 days');
  return hours;
}

function listBy<Value>(pairs: readonly (readonly [number, Value])[]): Map<number, Value[]> {
  const lists = new Map<number, Value[]>();
  for (const [key, value] of pairs) {
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}

export class Days {
  readonly #clean: Clean;
  readonly #work = new Map<string, Exact>();
  readonly #timeOff = new Map<string, Exact>();
  readonly #timeOffDays = new Map<string, Set<string>>();
  readonly #able = new Map<number, { first: string; last: string } | null>();
  readonly #ownTimeOffs: ReadonlyMap<number, readonly TimeOff[]>;
  readonly #loggedDays: ReadonlyMap<number, readonly string[]>;

  constructor(clean: Clean) {
    this.#clean = clean;
    const confirmed = [...clean.timeOffs.values()].filter(({ status }) => status === 2);
    this.#ownTimeOffs = listBy(
      confirmed.flatMap((timeOff) => [...new Set(timeOff.peopleIds)].map((id) => [id, timeOff] as const)),
    );
    const logged = [...clean.loggedTime.values()].filter(({ hours }) => hours.greaterThan(0));
    this.#loggedDays = listBy(logged.map(({ peopleId, date }) => [peopleId, date] as const));
  }

  isEmployed(peopleId: number, date: string): boolean {
    const person = this.#clean.people.get(peopleId);
    if (person === undefined) return true;
    if (person.startDate !== null && date < person.startDate) return false;
    return person.endDate === null || date <= person.endDate;
  }

  /** D1: returns W(p,d). */
  work(peopleId: number, date: string): Exact {
    const key = `${peopleId} ${date}`;
    const known = this.#work.get(key);
    if (known !== undefined) return known;
    const hours = this.#computeWork(peopleId, date);
    this.#work.set(key, hours);
    return hours;
  }

  #computeWork(peopleId: number, date: string): Exact {
    if (!this.isEmployed(peopleId, date)) return ZERO;
    const person = this.#clean.people.get(peopleId);
    const companyWeek = this.#clean.settings.workDaysHours;
    if (this.isByCall(peopleId)) return hoursOn(companyWeek, date);
    let week = person?.workDaysHours ?? companyWeek;
    let latest = '';
    for (const entry of person?.workDaysHoursHistory ?? []) {
      if (entry.date <= date && entry.date > latest) {
        latest = entry.date;
        week = entry.hours;
      }
    }
    return hoursOn(week, date);
  }

  /** D7: returns whether p has a week, and hours in none: the company's week plans such people. */
  isByCall(peopleId: number): boolean {
    const person = this.#clean.people.get(peopleId);
    if (!person?.workDaysHours) return false;
    const weeks = [person.workDaysHours, ...person.workDaysHoursHistory.map(({ hours }) => hours)];
    return weeks.flat().every((hours) => hours.isZero());
  }

  /** D2: returns the days of time off, whose repeat end may be the person's last day. */
  timeOffDays(timeOff: TimeOff, peopleId: number): Set<string> {
    const key = `${timeOff.id} ${peopleId}`;
    const known = this.#timeOffDays.get(key);
    if (known !== undefined) return known;
    const repeatEnd = timeOff.repeatEnd ?? this.#clean.people.get(peopleId)?.endDate ?? addYears(timeOff.startDate, 2);
    const days = new Set(occurrences(timeOff, repeatEnd).flat());
    this.#timeOffDays.set(key, days);
    return days;
  }

  /** D4: returns TO(p,d). */
  timeOff(peopleId: number, date: string): Exact {
    const key = `${peopleId} ${date}`;
    const known = this.#timeOff.get(key);
    if (known !== undefined) return known;
    const hours = this.#computeTimeOff(peopleId, date);
    this.#timeOff.set(key, hours);
    return hours;
  }

  #computeTimeOff(peopleId: number, date: string): Exact {
    const work = this.work(peopleId, date);
    if (this.isHoliday(peopleId, date)) return work;
    let added = ZERO;
    for (const timeOff of this.#ownTimeOffs.get(peopleId) ?? []) {
      if (!this.timeOffDays(timeOff, peopleId).has(date)) continue;
      const fullDay = timeOff.fullDay ?? timeOff.hours === null;
      if (fullDay) return work;
      added = added.plus(timeOff.hours ?? ZERO);
    }
    return Exact.min(added, work);
  }

  /** D4: returns true if d is a holiday for everybody or for p's region. */
  isHoliday(peopleId: number, date: string): boolean {
    const region = this.#clean.people.get(peopleId)?.regionId ?? null;
    for (const holiday of this.#clean.holidays.values()) {
      const concerns = holiday.regionId === null || holiday.regionId === region;
      if (concerns && holiday.days.has(date)) return true;
    }
    return false;
  }

  /** D5: returns the days on which p can work, both included; null if none: placeholders and people without a record are demand. */
  #ableDays(peopleId: number): { first: string; last: string } | null {
    const person = this.#clean.people.get(peopleId);
    if (person === undefined || person.typeId > 2 || this.isByCall(peopleId)) return null;
    const first = person.startDate ?? ALWAYS;
    const last = person.active ? (person.endDate ?? NEVER_AFTER) : (person.endDate ?? this.lastLogged(peopleId));
    return last === null || last < first ? null : { first, last };
  }

  /** Returns the last day on which p has logged time. */
  lastLogged(peopleId: number): string | null {
    return [...(this.#loggedDays.get(peopleId) ?? [])].sort().at(-1) ?? null;
  }

  hasCapacity(peopleId: number): boolean {
    return this.#ableDays(peopleId) !== null;
  }

  /** D5: returns whether p can work on d. */
  canWork(peopleId: number, date: string): boolean {
    const days = this.#able.get(peopleId) ?? this.#ableDays(peopleId);
    this.#able.set(peopleId, days);
    return days !== null && days.first <= date && date <= days.last;
  }

  /** 3.4: returns whether p is a row of the report people for these days, even without hours. */
  isOnRoster(peopleId: number, dates: readonly string[]): boolean {
    const isActive = this.#clean.people.get(peopleId)?.active === true;
    return dates.some((date) =>
      isActive
        ? this.isEmployed(peopleId, date)
        : this.canWork(peopleId, date) && this.work(peopleId, date).greaterThan(0),
    );
  }

  /** D5: returns C(p,d) on a day on which p can work. */
  capacity(peopleId: number, date: string): Exact {
    return this.work(peopleId, date).minus(this.timeOff(peopleId, date));
  }

  /** D4: returns true if d is a day off for p. */
  isDayOff(peopleId: number, date: string): boolean {
    const work = this.work(peopleId, date);
    return work.greaterThan(0) && this.timeOff(peopleId, date).equals(work);
  }

  /** D2: returns the last day of an allocation's repeats. */
  repeatEndOf(allocation: Allocation): string {
    return (
      allocation.repeatEnd ??
      this.#clean.projects.get(allocation.projectId)?.endDate ??
      addYears(allocation.startDate, 2)
    );
  }

  /** D6, D3: returns the days on which p works on the allocation. */
  scheduledDays(allocation: Allocation, peopleId: number): string[] {
    return longerOccurrences(occurrences(allocation, this.repeatEndOf(allocation))).flatMap((occurrence) => {
      const days = occurrence.filter((day) => this.isEmployed(peopleId, day));
      const workDays = days.filter((day) => this.work(peopleId, day).greaterThan(0));
      if (workDays.length === 0) return days;
      return workDays.filter((day) => !this.isDayOff(peopleId, day));
    });
  }
}
