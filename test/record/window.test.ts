import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseListQuery } from '../../src/store/record/list.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { addYears } from '../oracle/calendar.ts';
import { occurrences } from '../oracle/days.ts';
import { openService } from './service.ts';

const DAY_MS = 86_400_000;

const FIRST = Date.parse('2026-01-01');

const day = (index: number) => new Date(FIRST + index * DAY_MS).toISOString().slice(0, 10);

const span = fc.record({
  start: fc.nat(60),
  length: fc.nat(45),
  repeat_state: fc.nat(9),
  repeats: fc.option(fc.nat(500), { nil: undefined }),
  place: fc.constantFrom(1, 2),
});

const datesOf = ({
  start,
  length,
  repeat_state,
  repeats,
}: {
  start: number;
  length: number;
  repeat_state: number;
  repeats: number | undefined;
}) => ({
  start_date: day(start),
  end_date: day(start + length),
  repeat_state,
  ...(repeats === undefined ? {} : { repeat_end_date: day(start + repeats) }),
});

/** Lists the days of all occurrences. @param ends End of endless repeats, per person. */
function daysOf(dates: ReturnType<typeof datesOf>, ends: readonly (string | undefined)[]): string[] {
  const { start_date: startDate, end_date: endDate, repeat_state: repeatState } = dates;
  return ends.flatMap((end) => {
    const repeatEnd = ('repeat_end_date' in dates ? dates.repeat_end_date : end) ?? addYears(startDate, 2);
    return occurrences({ startDate, endDate, repeatState }, repeatEnd).flat();
  });
}

it('start_date and end_date select records with an occurrence in those dates (D2), whatever their status', {
  tags: ['slow'],
}, async () => {
  const spans = fc.sample(span, { numRuns: 120, seed: 7 });
  const service = await openService({
    people: [
      { people_id: 1, name: 'Ann', end_date: '2026-09-30' },
      { people_id: 2, name: 'Bob' },
    ],
    projects: [
      { project_id: 1, name: 'Bridge', end_date: '2026-10-31' },
      { project_id: 2, name: 'Tunnel' },
    ],
    tasks: spans.map((each, index) => ({
      task_id: index + 1,
      project_id: each.place,
      people_ids: [1, 2],
      hours: index % 3,
      ...datesOf(each),
    })),
    timeoffs: spans.map((each, index) => ({
      timeoff_id: index + 1,
      people_ids: each.place === 1 ? [1, 2] : [2],
      status: 1 + (index % 3),
      ...datesOf(each),
    })),
  });
  for (const [path, id, endsOf] of [
    ['tasks', 'task_id', ({ place }) => [place === 1 ? '2026-10-31' : undefined]],
    ['timeoffs', 'timeoff_id', ({ place }) => (place === 1 ? ['2026-09-30', undefined] : [undefined])],
  ] satisfies [string, string, (each: (typeof spans)[number]) => (string | undefined)[]][]) {
    const days = spans.map((each) => daysOf(datesOf(each), endsOf(each)));
    for (const [from, to] of [
      [0, 0],
      [40, 45],
      [100, 100],
      [101, 107],
      [250, 300],
      [303, 303],
      [304, 420],
      [430, 431],
      [700, 900],
    ] as const) {
      const shown = [];
      for (const page of [1, 2]) {
        const { json } = await service.call(
          'GET',
          `/v3/${path}?start_date=${day(from)}&end_date=${day(to)}&sort=${id}&fields=${id}&page=${page}&per-page=100`,
        );
        shown.push(...json.map((record: Record<string, number>) => record[id]));
      }
      const isShown = (date: string) => day(from) <= date && date <= day(to);
      const expected = days.flatMap((dates, index) => (dates.some(isShown) ? [index + 1] : []));
      expect(shown, `${path} ${day(from)} ${day(to)}`).toEqual(expected);
    }
  }
  await service.close();
});

/** Weekly from 1970 to 1999: 1,565 repeats each. */
const PAST = { start_date: '1970-01-05', end_date: '1970-01-05', repeat_state: 1, repeat_end_date: '1999-12-27' };

const FUTURE = { start_date: '2050-01-03', end_date: '2050-01-03', repeat_state: 1, repeat_end_date: '2079-12-25' };

const ITEMS = 100;

it.each([
  ['tasks', 'task_id', { project_id: 1, hours: 1 }],
  ['timeoffs', 'timeoff_id', {}],
])('%s: no repeats are computed for items outside the dates', { tags: ['slow'] }, async (resource, id, fields) => {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    [id]: index + 1,
    people_id: 1,
    ...fields,
    ...(index % 2 === 0 ? PAST : FUTURE),
  }));
  const service = await openService({
    people: [{ people_id: 1, name: 'Ann' }],
    projects: [{ project_id: 1, name: 'Bridge' }],
    [resource]: items,
  });
  const kind = servedResources.get(resource);
  if (!kind) throw new Error(`There is no ${resource}`);
  /** Counts the rows that pass through all steps of the query. */
  const countRows = async (dates: Record<string, string>) => {
    const sent = new Map(Object.entries(dates).map(([name, value]) => [name, [value]]));
    const { where } = parseListQuery(kind, sent, true);
    const [plan] = await service.database.rows<{ explain_value: string }>(
      `EXPLAIN (ANALYZE, FORMAT json) SELECT ${id} FROM source.${resource} WHERE ${where}`,
    );
    return JSON.parse(String(plan?.explain_value)).cumulative_cardinality as number;
  };
  expect(await countRows({ start_date: '2026-01-01', end_date: '2026-12-31' })).toBeLessThan(ITEMS * 20);
  // The count includes computed repeats: half of the items reach these dates.
  expect(await countRows({ start_date: '1990-01-01', end_date: '1990-01-31' })).toBeGreaterThan(ITEMS * 100);
  await service.close();
});
