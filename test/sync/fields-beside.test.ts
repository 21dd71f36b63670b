import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSync } from '../../src/store/sync/sync-run.ts';
import { makeFolder, type Opened, openData } from '../live/data.ts';
import { withoutPublishing } from '../live/memory-source.ts';
import { openRecords, type RecordsSource } from './records-source.ts';

const TIMES = { created: '2026-01-01 08:00:00', modified: '2026-01-02 08:00:00' };

let folder: string;
let own: string;
let synced: Opened;
let source: RecordsSource;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-'));
  own = join(folder, 'own');
  mkdirSync(own);
  source = openRecords(folder, { roles: [], projects: [], phases: [], milestones: [] });
  synced = await openData((await makeFolder('nothing')).file, { wrap: withoutPublishing });
});
afterAll(async () => {
  await synced.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, ...lines: string[]) => writeFileSync(join(own, name), lines.join('\n'));

async function sync(names: readonly string[], besideFolder?: string) {
  source.records = {
    projects: names.map((name, index) => ({ project_id: index + 1, name, status: 2, ...TIMES })),
    phases: [{ phase_id: 11, project_id: 1, name: 'One', ...TIMES }],
    milestones: [{ milestone_id: 21, project_id: 1, name: 'Pilot', date: '2026-03-31', ...TIMES }],
  };
  const { database } = synced.source;
  const parts = { puller: source, live: synced, database, file: join(folder, 'company.duckdb'), memoryLimitMib: 256 };
  const { changed, setAside } = await runSync(parts, besideFolder === undefined ? {} : { besideFolder });
  const read = async (table: string, columns: string) => {
    const sql = `SELECT CONCAT_WS(' ', ${columns}) AS stored FROM source.${table} ORDER BY 1`;
    return (await database.rows<{ stored: string }>(sql)).map(({ stored }) => stored);
  };
  const stored = [
    ...(await read('projects', 'project_id, name, contract, recognise')),
    ...(await read('phases', 'phase_id, contract')),
    ...(await read('milestones', 'milestone_id, amount')),
  ];
  return { changed, setAside, stored };
}

it('5: files beside a source give its records the fields that it does not have', { tags: ['slow'] }, async () => {
  write('projects.csv', 'project_id,contract,recognise', '1,fixed,milestones', '2,capped,', '9,fixed,done');
  write('phases.csv', 'phase_id,project_id,contract', '11,1,internal');
  write('milestones.csv', 'milestone_id,amount', '21,300');
  const first = ['1 Bridge fixed milestones', '2 Mole capped', '11 internal', '21 300.0000'];
  // The source has no project 9.
  expect(await sync(['Bridge', 'Mole'], own)).toMatchObject({ setAside: 1, stored: first });
  expect(await sync(['Bridge', 'Mole'], own)).toMatchObject({ changed: 0, stored: first });

  // A run without the folder leaves them as they are, also of a record that has changed.
  const renamed = ['1 Bridge fixed milestones', '2 Pier capped', '11 internal', '21 300.0000'];
  expect(await sync(['Bridge', 'Pier'])).toMatchObject({ changed: 1, stored: renamed });

  // They are read again when they change; a word that nobody knows is set aside.
  write('projects.csv', 'project_id,contract,recognise', '1,fixed,done', '2,whole,');
  rmSync(join(own, 'milestones.csv'));
  expect(await sync(['Bridge', 'Pier'], own)).toMatchObject({
    setAside: 1,
    stored: ['1 Bridge fixed done', '2 Pier', '11 internal', '21'],
  });
});

it('5: dated rates, and rate cards of projects, may stand beside a source, too', { tags: ['slow'] }, async () => {
  write('roles.csv', 'role_id,bill_rate_history', '1,"[{""rate"": 150, ""effective_date"": ""2026-03-01""}]"');
  write(
    'projects.csv',
    'project_id,contract_id,rate_cards',
    '1,frame,"[{""rate_card_id"": 7, ""effective_date"": ""2026-02-01""}]"',
  );
  write(
    'rate_cards.csv',
    'rate_card_id,name,rates',
    '7,Public,"[{""role_id"": 1, ""rate"": 120, ""effective_date"": ""2026-01-01""}]"',
  );
  const given = ['1 frame', '1 150.0000 2026-03-01', '1 7 2026-02-01'];
  expect(await priced(100, { besideFolder: own })).toEqual(given);

  // A run without the folder leaves them as they are. A role without dates of its own gets the day on which its rate is seen to change.
  const ratesChange = 'from_today';
  expect(await priced(100, { ratesChange })).toEqual(given);
  const seen = ['1 frame', '1 150.0000 2026-03-01', expect.stringMatching(/^2 130\.0000 20/), '1 7 2026-02-01'];
  expect(await priced(130, { ratesChange })).toEqual(seen);
  expect(await priced(130, { ratesChange })).toEqual(seen);

  // Rates that are gone from the files go; those that a source was seen to change stay.
  rmSync(join(own, 'roles.csv'));
  expect(await priced(130, { ratesChange, besideFolder: own })).toEqual(seen.filter((_, index) => index !== 1));
});

/** Syncs two roles with a rate, of which only the first has dates beside the source, and returns what is stored of what no source has. */
async function priced(rate: number, options: { besideFolder?: string; ratesChange?: 'from_today' }) {
  source.records = {
    ...source.records,
    projects: [{ project_id: 1, name: 'Bridge', status: 2, ...TIMES }],
    roles: [1, 2].map((id) => ({ role_id: id, name: `Role ${id}`, default_hourly_rate: rate, ...TIMES })),
  };
  const { database } = synced.source;
  const parts = { puller: source, live: synced, database, file: join(folder, 'company.duckdb'), memoryLimitMib: 256 };
  await runSync(parts, options);
  const read = async (table: string, columns: string, condition = 'TRUE') => {
    const sql = `SELECT CONCAT_WS(' ', ${columns}) AS stored FROM source.${table} WHERE ${condition} ORDER BY 1`;
    return (await database.rows<{ stored: string }>(sql)).map(({ stored }) => stored);
  };
  return [
    ...(await read('projects', 'project_id, contract_id', 'contract_id IS NOT NULL')),
    ...(await read('role_bill_rates', 'role_id, rate, effective_date')),
    ...(await read('project_rate_cards', 'project_id, rate_card_id, effective_date')),
  ];
}
