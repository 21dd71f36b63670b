import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { sortAsAsked, sortRows } from '../../src/numbers/report/run/change-order.ts';
import { type Company, column, openCompany } from '../sql/company.ts';

const NAMES = ['Zoe', 'ada', 'Ängel', 'émile', 'Angel', 'Ada', 'Öz', 'Oy'];

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    people: NAMES.map((name, index) => ({ people_id: index + 1, name })),
    projects: [{ project_id: 1, name: 'Bridge' }],
    logged_time: NAMES.map((_, index) => ({
      logged_time_id: `${index}`,
      project_id: 1,
      people_id: index + 1,
      date: '2026-03-03',
      hours: 1,
    })),
  });
});
afterAll(() => company.close());

const WINDOW = { start_date: '2026-03-02', end_date: '2026-03-06' };

const sorted = ['ada', 'Ada', 'Angel', 'Ängel', 'émile', 'Oy', 'Öz', 'Zoe'];

it('sorts names as people do', async () => {
  const plain = await company.report('people', WINDOW);
  expect(column(plain.rows, 'name')).toEqual(sorted);
  const turned = await company.report('people', { ...WINDOW, sort: '-name' });
  expect(column(turned.rows, 'name')).toEqual(sorted.toReversed());
});

it('sorts lines, and those behind a number, alike', async () => {
  for (const more of [{}, { measure: 'actual_hours' }]) {
    const { rows } = await company.report('lines', { ...WINDOW, ...more, sort: '-person' });
    expect(column(rows, 'person')).toEqual(sorted.toReversed());
  }
});

it('sorts rows of two states alike', async () => {
  const database = await openDatabase(':memory:');
  onTestFinished(() => database.close());
  const name = { name: 'person', label: '', unit: 'text', description: '', needsRates: false, better: 'none' } as const;
  const rows = [...NAMES, null].map((person) => ({ names: { person } }));
  expect((await sortRows(database, [name], rows)).map(({ names }) => names.person)).toEqual([...sorted, null]);
  const asked = await sortAsAsked(
    database,
    [...NAMES],
    (each) => [each],
    [name],
    [{ column: 'person', isDescending: true }],
  );
  expect(asked).toEqual(sorted.toReversed());
});
