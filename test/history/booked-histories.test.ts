import { expect, it } from 'vitest';
import { moveDay } from '../../src/base/calendar/day.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { type BookedCompany, logged, makeBookedCompany } from './booked-company.ts';

/*
 * Random histories of loads, closings and reopenings: what the program books of each month is what the definition says (B1, B2), by the revenue of each
 * day that the program itself had at each closing.
 */

const LOADS = 3;

const FIRST = '2026-01-01';
const days = Array.from({ length: 181 }, (_, index) => moveDay(FIRST, 'day', index));
const LAST = days.at(-1) ?? '';
const PERIODS = [
  ...['2026-01', '2026-02', '2026-03', '2026-04', '2026-Q1'],
  ...['2026-02-10..2026-03-15', '2026-03-16..2026-03-31', '2026-01-20..2026-02-28', '2026-02-01..2026-04-10'],
];
const PROJECTS = [
  { project_id: 1, name: 'Hours', default_hourly_rate: 100 },
  { project_id: 2, name: 'Fixed', default_hourly_rate: 90, budget_type: 2, budget_total: 7777 },
  { project_id: 3, name: 'Capped', default_hourly_rate: 80, budget_type: 2, budget_total: 2500, contract: 'capped' },
];

/** Revenue in cents by project and day. */
type Revenue = ReadonlyMap<string, number>;

interface Closing {
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly revenue: Revenue;
  isReopened: boolean;
  event: number;
}

const keyOf = (project: unknown, day: unknown) => `${project} ${day}`;

it(`B1: random histories are booked as the definition says, seed ${SEED}`, {
  timeout: 900_000,
  tags: ['slow'],
}, async () => {
  const random = new Prng(SEED);
  const company = makeBookedCompany();
  const closings: Closing[] = [];
  let event = 0;
  for (let load = 1; load <= LOADS; load += 1) {
    const now = `2026-07-0${load}T09:00:00Z`;
    await company.replace(now, makeRecords(random));
    for (let change = random.int(1, 3); change > 0; change -= 1) {
      event += 1;
      const closed = closings.filter((each) => isInForce(closings, each));
      const [again] = random.shuffled(closed);
      if (again && random.chance(0.3)) {
        const { code } = await company.run(now, 'reopen', again.name, '--reason', 'test');
        if (code === 0) Object.assign(again, { isReopened: true, event });
        continue;
      }
      const period = random.pick(PERIODS);
      const { code, stdout, stderr } = await company.run(now, 'close', period, '--name', `p${event}`);
      const [, startDate = '', endDate = ''] = /, (\S+) to ([^,]+), data/.exec(stdout + stderr) ?? [];
      if (code !== 0) continue;
      const revenue = await readRevenue(company, now, endDate);
      closings.push({ name: `p${event}`, startDate, endDate, revenue, isReopened: false, event });
    }
    await check(company, now, closings);
  }
});

function makeRecords(random: Prng) {
  const logged_time = Array.from({ length: random.int(20, 45) }, (_, index) => ({
    ...logged(random.pick(days.slice(0, -3)), random.int(1, 16) / 2),
    ...{ logged_time_id: `${index}`, project_id: random.int(1, 3) },
  }));
  const plan = {
    task_id: 1,
    project_id: 2,
    people_id: 1,
    start_date: '2026-07-01',
    end_date: '2026-07-31',
    hours: random.int(1, 4),
  };
  return { projects: PROJECTS, logged_time, tasks: [plan] };
}

async function readRevenue(company: BookedCompany, now: string, last: string): Promise<Revenue> {
  const asked = ['--start-date', FIRST, '--end-date', last, '--cutoff-date', last, '--group-by', 'project,day'];
  const { rows } = await company.read(now, 'project_id,day,actual_revenue', ...asked);
  return new Map(
    rows.slice(0, -1).map(([project, day, amount]) => [keyOf(project, day), Math.round(Number(amount) * 100)]),
  );
}

/** Tests whether a closing is in force: it was not reopened, and no later reopening has opened all of its days. */
function isInForce(closings: readonly Closing[], closing: Closing): boolean {
  if (closing.isReopened) return false;
  const events = closings.toSorted((one, other) => one.event - other.event);
  return days
    .filter((day) => day >= closing.startDate && day <= closing.endDate)
    .some(
      (day) => events.findLast(({ startDate, endDate }) => day >= startDate && day <= endDate)?.isReopened === false,
    );
}

async function check(company: BookedCompany, now: string, closings: readonly Closing[]): Promise<void> {
  const today = await readRevenue(company, now, LAST);
  const inForce = closings.filter((each) => isInForce(closings, each));
  const newest = inForce.filter(
    ({ endDate, event }) => !inForce.some((other) => other.endDate === endDate && other.event > event),
  );
  const chain = newest.toSorted((one, other) => (one.endDate < other.endDate ? -1 : 1));
  const window = ['--start-date', FIRST, '--end-date', LAST, '--cutoff-date', LAST];
  const { rows } = await company.read(now, 'project_id,month,booked_revenue', ...window, '--group-by', 'project,month');
  const read = new Map(rows.slice(0, -1).map(([project, month, amount]) => [keyOf(project, month), amount]));
  for (const { project_id: project } of PROJECTS)
    for (const month of days.filter((day) => day.endsWith('-01'))) {
      const expected = bookedOf(chain, today, project, month);
      const found = read.get(keyOf(project, month)) ?? (expected === null ? null : 0);
      expect([now, project, month, found === null ? null : Math.round(Number(found) * 100)]).toEqual([
        now,
        project,
        month,
        expected,
      ]);
    }
  const all = [...today.values()].reduce((sum, cents) => sum + cents, 0);
  expect(Math.round(Number(rows.at(-1)?.[2] ?? 0) * 100)).toBe(all);
}

/** Returns what is booked of a month in cents, null if it cuts a closed period. */
function bookedOf(chain: readonly Closing[], today: Revenue, project: number, month: string): number | null {
  const own = days.filter((day) => day.slice(0, 7) === month.slice(0, 7));
  const [start = '', end = ''] = [own[0], own.at(-1)];
  const sum = (revenue: Revenue, first: string, last: string) =>
    days
      .filter((day) => day >= first && day <= last)
      .reduce((total, day) => total + (revenue.get(keyOf(project, day)) ?? 0), 0);
  const last = chain.at(-1)?.endDate;
  const open = last === undefined ? FIRST : moveDay(last, 'day', 1);
  let booked = sum(today, [open, start].sort().at(-1) ?? '', end);
  if (last !== undefined && open >= start && open <= end)
    booked += sum(today, FIRST, last) - sum(chain.at(-1)?.revenue ?? today, FIRST, last);
  for (const [index, closing] of chain.entries()) {
    const before = chain[index - 1];
    const first = before ? moveDay(before.endDate, 'day', 1) : closing.startDate;
    if (!before && start < first) booked += sum(closing.revenue, start, end < first ? end : moveDay(first, 'day', -1));
    if (first > end || closing.endDate < start) continue;
    if (first < start || closing.endDate > end) return null;
    booked += before
      ? sum(closing.revenue, FIRST, closing.endDate) - sum(before.revenue, FIRST, before.endDate)
      : sum(closing.revenue, first, closing.endDate);
  }
  return booked;
}
