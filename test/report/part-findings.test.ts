import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import type { ReaderPart } from '../../src/numbers/report/source/part-views.ts';
import { buildCompany } from '../sql/company.ts';
import { askAs } from './part-reader.ts';

const NOW = new Date('2026-03-31T12:00:00Z');

const allocation = (task_id: number, project_id: number, people_ids: number[], hours: number) => ({
  ...{ task_id, project_id, people_ids, hours, start_date: '2026-03-02', end_date: '2026-03-03' },
});

/** Ada has 26 hours planned a day on Bridge and Road; Bridge is over before, and Bob is planned there by the same allocation. */
const RECORDS = {
  people: [
    { people_id: 11, name: 'Ada', people_type_id: 1, start_date: '2026-01-01' },
    { people_id: 12, name: 'Bob', people_type_id: 1, start_date: '2026-01-01' },
  ],
  projects: [
    { project_id: 51, name: 'Bridge', start_date: '2026-01-01', end_date: '2026-02-28' },
    { project_id: 52, name: 'Road' },
  ],
  tasks: [allocation(71, 51, [11, 12], 13), allocation(72, 52, [11], 13)],
};

let database: Database;
beforeAll(async () => {
  database = await buildCompany(RECORDS, NOW);
});
afterAll(() => database.close());

const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };

/** Returns the findings about allocations of a reader, each with its hours. */
async function findingsOf(part: ReaderPart | undefined): Promise<string[]> {
  const { rows } = await askAs(database, { report: 'data-quality', ...YEAR }, part, NOW);
  const found = rows.filter(({ check }) => /^(?:allocation|more_than)/.test(String(check)));
  return found.map(({ check, id, hours }) => `${check} ${id}: ${Number(hours)}`).sort();
}

it('a finding that tells of other work of a person, or of others on an allocation, is not of a part (L2)', async () => {
  const [outside, planned] = ['allocation_outside_project 71: 52', 'more_than_24_hours_planned'];
  expect(await findingsOf(undefined)).toEqual([outside, `${planned} 71: 26`, `${planned} 72: 26`]);
  expect(await findingsOf({ project_id: [51] })).toEqual([outside]);
  expect(await findingsOf({ people_id: [11] })).toEqual([`${planned} 71: 26`, `${planned} 72: 26`]);
  expect(await findingsOf({ mine: { people_id: [11], project_manager: [] } })).toEqual([]);
});
