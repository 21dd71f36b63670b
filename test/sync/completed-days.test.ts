import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSync } from '../../src/store/sync/sync-run.ts';
import { makeFolder, type Opened, openData } from '../live/data.ts';
import { withoutPublishing } from '../live/memory-source.ts';
import { openRecords, type RecordsSource } from './records-source.ts';

const TIMES = { created: '2026-01-01 08:00:00', modified: '2026-01-02 08:00:00' };

let folder: string;
let synced: Opened;
let source: RecordsSource;
let now = new Date('2026-06-15T12:00:00Z');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-'));
  source = openRecords(folder, { projects: [], phases: [] });
  synced = await openData((await makeFolder('nothing')).file, { now: () => now, wrap: withoutPublishing });
});
afterAll(async () => {
  await synced.close();
  rmSync(folder, { recursive: true });
});

/** Syncs projects, and a phase in each, by their status and day. @returns the days of the projects, and of the phases. */
async function sync(at: string, projects: readonly { status: number; completed_on?: string | null }[]) {
  now = new Date(at);
  source.records = {
    projects: projects.map((each, index) => ({ project_id: index + 1, name: 'Bridge', ...each, ...TIMES })),
    phases: projects.map((each, index) => ({ phase_id: index + 1, project_id: 1, name: 'One', ...each, ...TIMES })),
  };
  const settingsFile = join(folder, 'settings.json');
  writeFileSync(settingsFile, JSON.stringify({ time_zone: 'Pacific/Auckland' }));
  const { database } = synced.source;
  const parts = { puller: source, live: synced, database, file: join(folder, 'company.duckdb'), memoryLimitMib: 256 };
  const { changed } = await runSync(parts, { settingsFile });
  const read = async (table: string, id: string) => {
    const sql = `SELECT CAST(completed_on AS VARCHAR) AS day FROM source.${table} ORDER BY ${id}`;
    return (await database.rows<{ day: string | null }>(sql)).map(({ day }) => day);
  };
  return { changed, projects: await read('projects', 'project_id'), phases: await read('phases', 'phase_id') };
}

const same = (changed: number, ...days: (string | null)[]) => ({ changed, projects: days, phases: days });

it('a sync sets the day on which it sees a completion, keeps it, and empties it', { tags: ['slow'] }, async () => {
  const [open, completed] = [{ status: 2 }, { status: 3 }];
  expect(await sync('2026-06-15T12:00:00Z', [open, completed, open])).toEqual(same(0, null, null, null));
  // It is the next day already where the company is.
  expect(await sync('2026-06-15T12:30:00Z', [completed, completed, open])).toEqual(same(2, '2026-06-16', null, null));
  expect(await sync('2026-06-20T12:00:00Z', [completed, completed, open])).toEqual(same(0, '2026-06-16', null, null));
  expect(await sync('2026-06-21T12:00:00Z', [open, completed, completed])).toEqual(same(4, null, null, '2026-06-22'));
});

it('a source that sends the days decides, those without one, too', { tags: ['slow'] }, async () => {
  const days = ['2026-05-04', null, null];
  const projects = days.map((completed_on) => ({ status: 3, completed_on }));
  expect(await sync('2026-06-22T12:00:00Z', projects)).toEqual(same(4, ...days));
});
