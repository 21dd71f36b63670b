import { afterAll, beforeAll, expect, it } from 'vitest';
import { SYNC } from '../../src/store/sync/merge.ts';
import { type Opened, openData } from '../live/data.ts';
import { loadCompany } from '../sql/company.ts';

/** A person whose contract has changed her role, which her own record doesn't show yet. */
const LATE = { people_id: 1, name: 'Ann', role_id: 1, contracts: [{ effective_date: '2026-02-01', role_id: 2 }] };

let file: string;
let remove: () => void;

beforeAll(async () => {
  const roles = [
    { role_id: 1, name: 'Engineer' },
    { role_id: 2, name: 'Architect' },
  ];
  ({ file, remove } = await loadCompany({ roles, people: [LATE] }));
});
afterAll(() => remove());

const readRole = ({ source }: Opened) => source.database.rows('SELECT role_id FROM source.people');

it('only a source turns the days of records that come from it', { tags: ['slow'] }, async () => {
  const synced = await openData(file, { isSynced: true });
  await synced.store.write(SYNC, async (transaction) =>
    transaction.run(["INSERT INTO sync.source VALUES ('https://api.example.com/v3', TIMESTAMP '2026-06-01 00:00:00')"]),
  );
  expect(await readRole(synced)).toEqual([{ role_id: 1 }]);
  await synced.close();
});

it('a server that takes the same records over turns their days', { tags: ['slow'] }, async () => {
  const taken = await openData(file);
  await taken.store.startDay();
  expect(await readRole(taken)).toEqual([{ role_id: 2 }]);
  await taken.close();
});
