import { expect, it } from 'vitest';
import { openService } from './service.ts';

const DAYS = { start_date: '2026-01-05', end_date: '2026-01-05' };

/** People of loaded records; an answer shows the person if there is only one. */
const NAMED = [
  { people_id: 3 },
  { people_ids: [2] },
  { people_ids: [1, 3] },
  { people_id: 3, people_ids: [1] },
  { people_ids: [4, 4] },
  { people_id: 2, people_ids: [] },
];

/** Ids of records and people in sorted order; equal people are ordered by id, highest first. */
const SORTED = [
  [4, 1],
  [6, 2],
  [2, 2],
  [1, 3],
  [5, 4],
  [3, null],
];

it.each([
  ['tasks', 'task_id', { project_id: 1, hours: 1 }],
  ['timeoffs', 'timeoff_id', {}],
])('%s sort by the people_id of answers, on every page', { tags: ['slow'] }, async (path, id, fields) => {
  const service = await openService({
    people: [1, 2, 3, 4].map((people_id) => ({ people_id, name: `Person ${people_id}` })),
    projects: [{ project_id: 1, name: 'Bridge' }],
    [path]: NAMED.map((people, index) => ({ [id]: index + 1, ...fields, ...DAYS, ...people })),
  });
  const list = async (query: string) => {
    const { json } = await service.call('GET', `/v3/${path}?${query}`);
    return json.map((record: Record<string, number>) => [record[id], record['people_id'] ?? null]);
  };
  expect(await list('sort=people_id')).toEqual(SORTED);
  const pages = [1, 2, 3].map((page) => list(`sort=people_id&per-page=2&page=${page}`));
  expect((await Promise.all(pages)).flat()).toEqual(SORTED);
  const descending = await list('sort=-people_id');
  expect(descending.map(([, person]: number[]) => person)).toEqual([4, 3, 2, 2, 1, null]);
  await service.close();
});

it('timeoffs sort by the full_day of answers', async () => {
  const service = await openService({
    people: [{ people_id: 1, name: 'Ann' }],
    timeoffs: [{ hours: 2, full_day: 0 }, {}, { full_day: 1 }, { hours: 3 }].map((fields, index) => ({
      timeoff_id: index + 1,
      people_id: 1,
      ...DAYS,
      ...fields,
    })),
  });
  const { json } = await service.call('GET', '/v3/timeoffs?sort=full_day,timeoff_id');
  expect(json.map((each: Record<string, number>) => [each['timeoff_id'], each['full_day']])).toEqual([
    [1, 0],
    [4, 0],
    [2, 1],
    [3, 1],
  ]);
  await service.close();
});
