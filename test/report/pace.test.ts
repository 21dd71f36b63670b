import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { inTurns, mapInTurns, ROWS_AT_ONCE, sortInTurns } from '../../src/base/pace.ts';
import { runTold } from '../../src/numbers/report/insights/insights.ts';
import { readQuery } from '../read-query.ts';
import { buildCompany, catalogue } from '../sql/company.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };
const [PEOPLE, DAYS] = [3, 40];

let database: Database;
beforeAll(async () => {
  const people = Array.from({ length: PEOPLE }, (_, index) => index + 1);
  const days = Array.from({ length: DAYS }, (_, index) => new Date(Date.UTC(2026, 0, 1 + index)));
  database = await buildCompany({
    people: people.map((people_id) => ({ people_id, name: `Person ${people_id}`, cost_rate: 50 })),
    projects: people.map((project_id) => ({ project_id, name: `Project ${project_id}`, default_hourly_rate: 90 })),
    logged_time: people.flatMap((id) =>
      days.map((day, index) => ({
        logged_time_id: `${id}.${index}`,
        people_id: id,
        project_id: id,
        date: day.toISOString().slice(0, 10),
        hours: 2,
      })),
    ),
  });
});
afterAll(() => database.close());

/** Runs a report, comparing the data with itself if it compares. */
async function run(name: string, more: Readonly<Record<string, string>>) {
  const { compares } = catalogue.reports.get(name) ?? {};
  const sent = { ...WINDOW, ...more, ...(compares && { from: 'before' }) };
  const catalogues = { full: catalogue, withoutRates: catalogue };
  const read = await readQuery(database, catalogues, name, sent, { now: NOW });
  const { company } = read.context;
  const [named] = await database.rows<{ catalog: string }>('SELECT current_database() AS catalog');
  const earlier = { database, catalog: named?.catalog ?? '', company, today: '2026-06-15', cutoffDate: '2026-06-15' };
  const context = { ...read.context, earlier: [{ days: undefined, open: async () => earlier }] };
  return runTold(context, read.query);
}

describe('the rows of every report reach all writers in small pieces', { tags: ['slow'] }, () => {
  it.each([
    ['pivot', { group_by: 'day,person,project' }],
    ['pivot', { group_by: 'day,person', subtotals: '1' }],
    ['pivot', { group_by: 'day,person', columns: 'month', measures: 'actual_hours' }],
    ['changes', { group_by: 'day,person,project' }],
    ['changes', { group_by: 'day,person,project', sort: '-difference', measures: 'actual_hours,actual_cost' }],
    ['people', { interval: 'day' }],
    ['lines', {}],
    ['lines', { limit: '100' }],
  ] as const)('%s %j', async (name, more) => {
    const table = await run(name, more);
    let count = 0;
    for await (const rows of table.rows) {
      expect(rows.length).toBeLessThanOrEqual(ROWS_AT_ONCE);
      count += rows.length;
    }
    expect(count).toBeGreaterThan(2 * ROWS_AT_ONCE);
  });
});

describe('work on rows', () => {
  /** Counts how often others have had their turn while work goes on. */
  async function countTurns(work: Promise<unknown>): Promise<number> {
    let [turns, isDone] = [0, false];
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await work;
    isDone = true;
    return turns;
  }

  const hold = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };
  const items = Array.from({ length: 100 }, (_, index) => index);

  it('lets others go on after each turn', async () => {
    expect(await countTurns(mapInTurns(items, () => hold(1)))).toBeGreaterThan(5);
    const chunk = Array.from({ length: 100 * ROWS_AT_ONCE }, (_, index) => index);
    const write = async () => {
      for await (const rows of inTurns(
        (async function* () {
          yield chunk;
        })(),
      ))
        hold(rows.length / ROWS_AT_ONCE);
    };
    expect(await countTurns(write())).toBeGreaterThan(5);
  });

  it('sorts as toSorted does, and keeps the order of equals', async () => {
    const pairs = Array.from({ length: 1_234 }, (_, index) => ({ key: (index * 7919) % 97, index }));
    const compare = (one: (typeof pairs)[number], other: (typeof pairs)[number]) => one.key - other.key;
    expect(await sortInTurns(pairs, compare)).toEqual(pairs.toSorted(compare));
    expect(await sortInTurns([], compare)).toEqual([]);
  });
});
