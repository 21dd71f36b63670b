import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

const OFF = { people_ids: [1], timeoff_type_id: 1, timeoff_type_name: 'Leave', full_day: 1 };

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: 1, name: 'Ann' }],
    timeoffs: [
      {
        timeoff_id: 1,
        ...OFF,
        start_date: '2026-03-02',
        end_date: '2026-03-04',
        created: '2026-01-03 08:00:00',
        modified: '2026-01-04 08:00:00',
      },
      {
        timeoff_id: 2,
        ...OFF,
        start_date: '2026-03-04',
        end_date: '2026-03-12',
        created: '2026-01-01 08:00:00',
        modified: '2026-01-05 08:00:00',
      },
      {
        timeoff_id: 3,
        ...OFF,
        start_date: '2026-02-23',
        end_date: '2026-02-23',
        repeat_state: 1,
        repeat_end_date: '2026-03-09',
        created: '2026-01-02 08:00:00',
        modified: '2026-01-06 08:00:00',
      },
    ],
  });
});
afterAll(() => api.close());

const ids = (query: string) => api.column(`timeoffs?${query}`, 'timeoff_id');

it.each([
  ['2026-03-04', '2026-03-04', [1, 2]],
  ['2026-03-02', '2026-03-02', [1, 3]],
  ['2026-03-12', '2026-03-31', [2]],
  ['2026-02-24', '2026-03-01', []],
  ['2026-03-16', '2026-03-31', []],
])(
  'API 2.6-1, API 4.2-19, API 4.2-30: start_date %s and end_date %s select the schedule of those dates',
  async (start, end, expected) => {
    expect((await ids(`start_date=${start}&end_date=${end}`)).sort()).toEqual(expected);
  },
);

it.each([
  ['created', [2, 3, 1]],
  ['-created', [1, 3, 2]],
  ['modified', [1, 2, 3]],
  ['start_date', [3, 1, 2]],
  ['-end_date', [2, 1, 3]],
])('API 2.6-2, API 4.1-7, S 4.1-13: sort=%s', async (sort, expected) => {
  expect(await ids(`sort=${sort}`)).toEqual(expected);
});
