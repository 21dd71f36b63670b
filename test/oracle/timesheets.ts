import { type Exact, percent, sum, sumHours, ZERO } from './exact.ts';
import { type Line, type Model, ownOf } from './ledger.ts';
import type { Counted, Measures } from './measures.ts';

const loggedDays = new WeakMap<Model, ReadonlySet<string>>();

/** Returns the days with logged time, of every person. */
function loggedDaysOf(model: Model): ReadonlySet<string> {
  const known = loggedDays.get(model);
  if (known) return known;
  const days = model.lines.filter(({ kind }) => kind === 'actual').map(dayOf);
  loggedDays.set(model, new Set(days));
  return new Set(days);
}

const dayOf = ({ people_id, date }: { people_id: number | null; date: string }) => `${people_id} ${date}`;

const hoursOf = (lines: readonly Line[]): Exact => sumHours(lines.map((line) => line.hours ?? ZERO));

/** 3.3.2: returns whether somebody is a row of timesheets: of those whom the state no longer has, the baseline tells (B2). */
export function hasSheets(model: Model, peopleId: number): boolean {
  const days = ownOf(model).people.has(peopleId) ? model.days : (model.keptDays ?? model.days);
  return days.hasCapacity(peopleId);
}

/** 3.3.2: returns the scheduled lines of days on which an employee or contractor, known to the state, logged nothing at all. */
export function missingLines(model: Model, { current }: Counted, lastDay: string): Line[] {
  const logged = loggedDaysOf(model);
  return current.filter((line) => {
    const type = ownOf(model).people.get(line.people_id ?? 0)?.typeId ?? 0;
    return line.date <= lastDay && (type === 1 || type === 2) && !logged.has(dayOf(line));
  });
}

export function missingMeasures(model: Model, counted: Counted, cutoff: string): Measures {
  const missing = missingLines(model, counted, cutoff);
  return {
    missing_hours: hoursOf(missing),
    missing_cost: sum(missing.map(({ cost }) => cost)),
    missing_fees: sum(missing.map(({ fee }) => fee)),
  };
}

/** 3.3.2: computes what people logged of their capacity. Days are the last one's text, counts numbers. */
export function timesheetMeasures(
  model: Model,
  people: Iterable<number>,
  days: readonly string[],
  counted: Counted,
  cutoff: string,
): Record<string, Exact | number | string | null> {
  const logged = loggedDaysOf(model);
  const worked = hoursOf(counted.actual.filter(({ people_id }) => model.days.hasCapacity(people_id ?? 0)));
  const members = [...people];
  const done = days.filter((day) => day <= cutoff);
  const able = members.flatMap((peopleId) =>
    done
      .filter((date) => model.days.canWork(peopleId, date))
      .map((date) => ({ people_id: peopleId, date, capacity: model.days.capacity(peopleId, date) })),
  );
  const capacity = sumHours(able.map((day) => day.capacity));
  const last = model.lines
    .filter(({ kind, date, people_id }) => kind === 'actual' && date <= cutoff && members.includes(people_id ?? 0))
    .map(({ date }) => date);
  return {
    worked_hours: worked,
    worked_percent: percent(worked, capacity),
    balance_hours: worked.minus(capacity),
    days_without_time: able.filter((day) => day.capacity.greaterThan(0) && !logged.has(dayOf(day))).length,
    last_logged: last.sort().at(-1) ?? null,
  };
}

export const MISSING_MEASURES: readonly string[] = ['missing_hours', 'missing_cost', 'missing_fees', 'missing_revenue'];

/** The measures of 3.3.2 that count the people of a row. */
export const TIMESHEET_MEASURES: readonly string[] = [
  'worked_percent',
  'balance_hours',
  'days_without_time',
  'last_logged',
];
