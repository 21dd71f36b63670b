import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Company, column, openCompany } from '../sql/company.ts';

const NAMES = ['Zoe', 'ada', 'Ängel', 'émile', 'Angel', 'Ada', 'Öz', 'Oy'];

let company: Company;
beforeAll(async () => {
  company = await openCompany({ people: NAMES.map((name, index) => ({ people_id: index + 1, name })) });
});
afterAll(() => company.close());

const WINDOW = { start_date: '2026-03-02', end_date: '2026-03-06' };

it('sorts names as people do', async () => {
  const sorted = ['ada', 'Ada', 'Angel', 'Ängel', 'émile', 'Oy', 'Öz', 'Zoe'];
  const plain = await company.report('people', WINDOW);
  expect(column(plain.rows, 'name')).toEqual(sorted);
  const turned = await company.report('people', { ...WINDOW, sort: '-name' });
  expect(column(turned.rows, 'name')).toEqual(sorted.toReversed());
});
