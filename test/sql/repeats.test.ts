import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, daysBetween } from '../oracle/calendar.ts';
import { longerOccurrences, occurrences } from '../oracle/days.ts';
import { type Company, openCompany, type Row } from './company.ts';

// D3: the computation grows with the days covered, however long and often an item repeats.

const START = '2021-03-31';
const END = '2025-12-31';

/** The fewest days from one occurrence to the next, by repeat_state. */
const STEPS = [
  [1, 7],
  [2, 28],
  [3, 14],
  [4, 21],
  [5, 42],
  [6, 56],
  [7, 84],
  [8, 175],
  [9, 357],
] as const;

const lengthsOf = (step: number) => [
  1,
  step - 1,
  step,
  step + 1,
  step + 8,
  step + 15,
  3 * step,
  daysBetween(START, END) + 1,
];

const items = STEPS.flatMap(([repeatState, step]) =>
  lengthsOf(step).map((length) => ({ repeatState, startDate: START, endDate: addDays(START, length - 1) })),
);

let company: Company;
let spans: Row[];
let counts: Row[];

beforeAll(async () => {
  company = await openCompany({
    people: [1, 2].map((people_id) => ({ people_id, name: `Person ${people_id}`, work_days_hours: Array(7).fill(8) })),
    projects: [{ project_id: 1, name: 'Bridge' }],
    tasks: items.map((item, index) => ({ ...recordOf(item), task_id: index + 1, project_id: 1 })),
    timeoffs: items.map((item, index) => ({ ...recordOf(item), timeoff_id: index + 1 })),
  });
  spans = await company.rows(`
    SELECT kind, item_id, CAST(first_date AS VARCHAR) AS first, CAST(last_date AS VARCHAR) AS last FROM core.occurrences
    WHERE people_id = 1 ORDER BY first_date`);
  counts = await company.rows(`
    WITH counted AS (
      SELECT item_id, 1 AS repeats, 0 AS spans, 0 AS lines FROM core.repeats WHERE kind = 'allocation' AND people_id = 1
      UNION ALL SELECT task_id, 0, 1, 0 FROM core.spans WHERE people_id = 1
      UNION ALL SELECT task_id, 0, 0, 1 FROM core.ledger WHERE kind = 'scheduled' AND people_id = 1)
    SELECT item_id, SUM(repeats) AS repeats, SUM(spans) AS spans, SUM(lines) AS lines FROM counted GROUP BY item_id`);
});

afterAll(() => company.close());

function recordOf({ repeatState, startDate, endDate }: (typeof items)[number]) {
  const dates = { start_date: startDate, end_date: endDate, repeat_state: repeatState, repeat_end_date: END };
  return { people_ids: [1, 2], hours: 0.01, ...dates };
}

describe.each(items.map((item, index) => [item.repeatState, item.startDate, item.endDate, index] as const))(
  'repeat state %i from %s to %s',
  (repeatState, startDate, endDate, index) => {
    const found = occurrences({ repeatState, startDate, endDate }, END);
    const expected = longerOccurrences(found);
    const covered = new Set(found.flat()).size;
    const item_id = index + 1;

    test.each(['allocation', 'time off'])('%s: occurrences that share days are merged', (kind) => {
      const own = spans.filter((row) => row['kind'] === kind && row['item_id'] === item_id);
      expect(own).toEqual(expected.map((days) => ({ kind, item_id, first: days[0], last: days.at(-1) })));
    });

    test('no relation has more rows than days covered', () => {
      const own = counts.find((row) => row['item_id'] === item_id);
      expect(own).toEqual({ item_id, repeats: own?.['repeats'], spans: expected.length, lines: covered });
      expect(Number(own?.['repeats'])).toBeLessThanOrEqual(covered);
    });
  },
);

test('the longest and most frequent time off takes hours on each day', async () => {
  const days = daysBetween(START, END) + 1;
  // Each of the items that cover every day takes a hundredth of an hour of it.
  const [row] = await company.rows(`
    SELECT count(*) AS days, min(time_off_hours) >= 0.09 AS are_all FROM core.time_off_days
    WHERE people_id = 1 AND date BETWEEN DATE '${START}' AND DATE '${END}'`);
  expect(row).toEqual({ days, are_all: true });
});
