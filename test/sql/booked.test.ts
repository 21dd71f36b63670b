import { afterAll, beforeAll, expect, it } from 'vitest';
import { moveDay } from '../../src/base/calendar/day.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { readRule } from '../../src/numbers/report/source/fact-rules.ts';
import { WHOLE_SOURCE } from '../../src/numbers/report/source/state-source.ts';
import { replaceFunctions } from '../../src/store/generation/generation-contents.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';

/** Chains of closings that each run tries. */
const CASES = 30;
const FIRST = '2025-11-20';
const DAYS = 140;
const PROJECTS = [1, 2];

const [spans, lines] = ['facts/booked_spans', 'facts/booked_lines'].map((path) => readRule(path)(WHOLE_SOURCE));

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  await replaceFunctions(database);
});
afterAll(() => database.close());

/** Cents by project and day, as one state knows them. */
type Known = ReadonlyMap<string, number>;

interface Closing {
  readonly startDate: string;
  readonly endDate: string;
  readonly known: Known;
  /** The days that begin further rows of a month in what it has kept. */
  readonly bounds: readonly string[];
}

const keyOf = (project: number, day: string) => `${project} ${day}`;

const days = Array.from({ length: DAYS }, (_, index) => moveDay(FIRST, 'day', index));

/** Returns states, each with some amounts of any day changed since the one before. */
function makeStates(random: Prng, count: number): Known[] {
  const states: Known[] = [];
  for (let index = 0; index < count; index += 1) {
    const known = new Map(states.at(-1));
    for (let change = random.int(3, 25); change > 0; change -= 1)
      known.set(keyOf(random.pick(PROJECTS), random.pick(days)), random.int(-9999, 99999));
    states.push(known);
  }
  return states;
}

/** Returns closings by their last days, which were not closed in that order, of months and of other days, with gaps and overlaps. */
function makeChain(random: Prng, states: readonly Known[]): Closing[] {
  const ends = random.shuffled(
    days.filter((day) => day > '2025-12-10' && (moveDay(day, 'day', 1).endsWith('-01') || random.chance(0.04))),
  );
  const chosen = states.slice(0, -1).flatMap((known, index) => {
    const endDate = ends[index];
    if (endDate === undefined) return [];
    const start = random.chance(0.6) ? `${endDate.slice(0, 8)}01` : moveDay(endDate, 'day', -random.int(0, 70));
    return [{ startDate: start < FIRST ? FIRST : start, endDate, known }];
  });
  const bounds = chosen.flatMap(({ startDate, endDate }) => [startDate, moveDay(endDate, 'day', 1)]);
  return chosen
    .map((closing) => ({
      ...closing,
      bounds: [...(random.chance(0.9) ? [closing.startDate] : []), ...random.some(bounds, 0, bounds.length)],
    }))
    .toSorted((one, other) => (one.endDate < other.endDate ? -1 : 1));
}

/** Returns the rows that a closing keeps: sums by project and month, divided at its bounds. */
function keptRows({ known, endDate, bounds }: Closing) {
  const starts = days.filter((day) => day === FIRST || day.endsWith('-01') || bounds.includes(day));
  return starts.flatMap((start, index) => {
    const next = starts[index + 1] ?? moveDay(days.at(-1) ?? '', 'day', 1);
    const last = moveDay(next, 'day', -1) > endDate ? endDate : moveDay(next, 'day', -1);
    const own = days.filter((day) => day >= start && day <= last);
    return own.length === 0
      ? []
      : PROJECTS.map((project) => ({ project, first: start, last, cents: sum(known, project, own) }));
  });
}

function sum(known: Known, project: number, own: readonly string[]): number {
  return own.reduce((total, day) => total + (known.get(keyOf(project, day)) ?? 0), 0);
}

/** Returns the relations of what is booked, of which cost is twice the revenue. */
async function readBooked(chain: readonly Closing[], today: Known) {
  const last = chain.at(-1)?.endDate ?? '';
  const kept = chain.flatMap((closing, index) =>
    keptRows(closing).map(
      ({ project, first, last: end, cents }) =>
        `(${index + 1}, ${project}, 0, DATE '${first}', DATE '${end}', ${cents}, 2 * ${cents}, 0)`,
    ),
  );
  const known = [...today].flatMap(([key, cents]) => {
    const [project, day = ''] = key.split(' ');
    return day <= last ? [`(${project}, 0, DATE '${day}', ${cents}, 2 * ${cents}, 0)`] : [];
  });
  const statement = `WITH booked_chain AS (SELECT * FROM (VALUES ${chain.map(({ startDate, endDate }, index) => `(${index + 1}, DATE '${startDate}', DATE '${endDate}')`).join(', ')}) AS chain (place, start_date, end_date)),
booked_kept AS (SELECT * FROM (VALUES ${kept.join(', ')}) AS kept (place, project_id, phase_id, first_date, last_date, revenue, cost, expenses)),
booked_today AS (SELECT * FROM (VALUES ${[...known, "(9, 0, DATE '2025-12-01', 0, 0, 0)"].join(', ')}) AS today (project_id, phase_id, date, revenue, cost, expenses)),
booked_spans AS (${spans}),
booked_lines AS (${lines})`;
  return {
    spans: await database.rows<{ place: number; first_date: string; last_date: string }>(
      `${statement} SELECT place, CAST(first_date AS VARCHAR) AS first_date, CAST(last_date AS VARCHAR) AS last_date FROM booked_spans ORDER BY first_date`,
    ),
    lines: await database.rows<{
      project_id: number;
      date: string;
      revenue: number;
      cost: number;
      catch_up: number;
      has_catch_up: boolean;
    }>(
      `${statement} SELECT CAST(project_id AS INTEGER) AS project_id, CAST(date AS VARCHAR) AS date, CAST(revenue AS INTEGER) AS revenue, CAST(cost AS INTEGER) AS cost, CAST(catch_up AS INTEGER) AS catch_up, has_catch_up FROM booked_lines`,
    ),
  };
}

it(`B1, B2: any chain of closings books all that is known today, seed ${SEED}`, { tags: ['slow'] }, async () => {
  const random = new Prng(SEED);
  for (let each = 0; each < CASES; each += 1) {
    const states = makeStates(random, random.int(2, 6));
    const chain = makeChain(random, states);
    const today = states.at(-1) ?? new Map();
    if (chain.length === 0) continue;
    const booked = await readBooked(chain, today);
    for (const project of PROJECTS) {
      const own = booked.lines.filter(({ project_id }) => project_id === project);
      // Booked of all days is what is known today.
      expect([each, own.reduce((total, { revenue }) => total + revenue, 0)]).toEqual([each, 0]);
      for (const { place, first_date, last_date } of booked.spans) {
        const [line, ...more] = own.filter(({ date }) => date === last_date);
        expect(more).toEqual([]);
        const expected = expectSpan(chain, today, project, { place, first_date, last_date });
        const where = [each, project, first_date, last_date];
        expect([...where, line?.revenue ?? 0, line?.cost ?? 0]).toEqual([
          ...where,
          expected.beside,
          2 * expected.beside,
        ]);
        if (line?.has_catch_up ?? true) expect([...where, line?.catch_up ?? 0]).toEqual([...where, expected.catchUp]);
        else expect(isDivided(chain, place)).toBe(true);
      }
    }
    // The spans are all days up to the first open one, each once, as far as anything is known of them.
    for (const [index, span] of booked.spans.entries()) {
      const next = booked.spans[index + 1];
      if (next) expect([each, next.first_date > span.last_date]).toEqual([each, true]);
    }
  }
});

/** Computes what is booked of a span beside what is known of it today, by the definition: to date by its own closing less to date by the one before. */
function expectSpan(
  chain: readonly Closing[],
  today: Known,
  project: number,
  { place, first_date, last_date }: { place: number; first_date: string; last_date: string },
) {
  const upTo = (known: Known, last: string) =>
    sum(
      known,
      project,
      days.filter((day) => day <= last),
    );
  const within = (known: Known) =>
    sum(
      known,
      project,
      days.filter((day) => day >= first_date && day <= last_date),
    );
  const [closing, before] = [chain[place - 1], chain[place - 2]];
  if (place === 0) return { beside: within(chain[0]?.known ?? today) - within(today), catchUp: 0 };
  if (!closing) {
    const last = before?.endDate ?? '';
    const since = upTo(today, last) - upTo(before?.known ?? today, last);
    return { beside: since, catchUp: since };
  }
  if (!before) return { beside: within(closing.known) - within(today), catchUp: 0 };
  const whole = upTo(closing.known, closing.endDate) - upTo(before.known, before.endDate);
  return { beside: whole - within(today), catchUp: whole - within(closing.known) };
}

/** Tests whether what a closing has kept has a row on both sides of the first day of its period. */
function isDivided(chain: readonly Closing[], place: number): boolean {
  const [closing, before] = [chain[place - 1], chain[place - 2]];
  if (!closing || !before) return false;
  const start = moveDay(before.endDate, 'day', 1);
  return keptRows(closing).some(({ first, last }) => first < start && last >= start);
}
