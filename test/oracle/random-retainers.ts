import type { Records } from '../sql/company.ts';
import { Prng } from './prng.ts';
import type { Grid, Retainer, RetainerAmount } from './retainers.ts';

const DAY_MS = 86_400_000;

/** The days of the lines of random retainers. */
const FIRST = '2024-01-01';
const LINE_DAYS = 900;

/** Millionths of hours, and minor units of a currency with cents. */
const HOUR_UNITS = 1_000_000n;
const CENTS = 100n;

export const PERIODS: Pick<Grid, 'weekStartsOn' | 'fiscalYearStartsIn'> = { weekStartsOn: 3, fiscalYearStartsIn: 11 };

const dayAt = (offset: number) =>
  new Date(Date.parse(`${FIRST}T00:00:00Z`) + offset * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Makes a random retainer: every word, expiry, cut and change of amounts. */
function makeRetainer(random: Prng, id: number): Retainer {
  const unit = random.pick(['hours', 'hours', 'fee'] as const);
  const rollover = random.pick(['none', 'surplus', 'deficit', 'both'] as const);
  const start = random.int(0, LINE_DAYS / 2);
  const expires = rollover === 'surplus' || rollover === 'both' ? random.pick([null, 1, 1, 2, 5]) : null;
  const hasPrice = unit === 'hours' && random.chance(0.7);
  const amount = () => (unit === 'hours' ? BigInt(random.int(0, 60)) * HOUR_UNITS : BigInt(random.int(0, 500_000)));
  const entry = (from: string | null): RetainerAmount => ({
    amount: amount(),
    price: hasPrice && random.chance(0.9) ? BigInt(random.int(0, 500_000)) : null,
    from,
  });
  const changes = Array.from({ length: random.int(0, 3) }, () => dayAt(start + random.int(1, 400)));
  return {
    id,
    unit,
    amounts: [entry(random.pick([null, dayAt(start)])), ...[...new Set(changes)].map(entry)],
    every: random.pick(['month', 'month', 'week', 'quarter', 'year'] as const),
    start: dayAt(start),
    end: random.chance(0.6) ? dayAt(start + random.int(0, 600)) : null,
    counts: random.pick(['billable', 'all'] as const),
    rollover,
    expiresAfter: expires,
    first: random.pick(['whole', 'by_days'] as const),
    recognise: random.pick(['evenly', 'as_used'] as const),
    overage: random.pick(['free', 'billed'] as const),
  };
}

const decimal = (units: bigint, unit: bigint, digits: number) =>
  `${units / unit}.${String(units % unit).padStart(digits, '0')}`;

const hoursText = (units: bigint) => decimal(units, HOUR_UNITS, 6).slice(0, -2);

function recordOf({ id, unit, amounts, every, start, end, counts, rollover, expiresAfter, ...words }: Retainer) {
  return {
    retainer_id: id,
    project_id: id,
    ...{ unit, every, start_date: start, end_date: end, counts, rollover, expires_after: expiresAfter, ...words },
    amounts: amounts.map(({ amount, price, from }) => ({
      amount: unit === 'hours' ? hoursText(amount) : decimal(amount, CENTS, 2),
      price: price === null ? null : decimal(price, CENTS, 2),
      effective_date: from,
    })),
  };
}

/** Makes a company with a project for each of some random retainers: work before, in and after their periods, billable or not, logged or planned, and credits. */
export function makeRetainers(seed: number, count: number): { retainers: readonly Retainer[]; records: Records } {
  const random = new Prng(seed);
  const retainers = Array.from({ length: count }, (_, index) => makeRetainer(random, index + 1));
  const logged: object[] = [];
  const tasks: object[] = [];
  const expenses: object[] = [];
  for (const { id: project_id } of retainers) {
    const busy = random.pick([5, 30, 60]);
    for (let index = 0; index < busy; index += 1) {
      const hours = random.pick(['0', '0.1', '0.333333', '2.5', '8', '8', '20']);
      const line = { people_id: random.int(1, 2), project_id, date: dayAt(random.int(0, LINE_DAYS)), hours };
      logged.push({ logged_time_id: `l${logged.length}`, ...line, billable: random.chance(0.8) });
    }
    const date = dayAt(LINE_DAYS + random.int(1, 60));
    tasks.push({ task_id: project_id, people_id: 1, project_id, start_date: date, end_date: date, hours: 8 });
    if (random.chance(0.2))
      expenses.push({ project_expense_id: project_id, project_id, date, name: 'Credit', cost: -100, billable: true });
  }
  return {
    retainers,
    records: {
      settings: {
        currency: 'EUR',
        week_starts_on: PERIODS.weekStartsOn,
        fiscal_year_starts_in: PERIODS.fiscalYearStartsIn,
      },
      people: [1, 2].map((id) => ({
        people_id: id,
        name: `Person ${id}`,
        default_hourly_rate: id * 77.77,
        cost_rate: 40,
      })),
      projects: retainers.map(({ id }) => ({ project_id: id, name: `Project ${id}` })),
      retainers: retainers.map(recordOf),
      logged_time: logged,
      tasks,
      project_expenses: expenses,
    },
  };
}
