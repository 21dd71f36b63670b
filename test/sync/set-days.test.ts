import { mkdtempSync, rmSync } from 'node:fs';
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

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-'));
  source = openRecords(folder, { projects: [], phases: [] });
  synced = await openData((await makeFolder('nothing')).file, { wrap: withoutPublishing });
});
afterAll(async () => {
  await synced.close();
  rmSync(folder, { recursive: true });
});

/** Syncs a project and a phase of one span for each origin of their days. @returns what is stored of both. */
async function sync(origins: readonly (string | undefined)[]) {
  const days = { start_date: '2026-03-02', end_date: '2026-06-30' };
  const told = origins.map((origin) => ({ ...days, ...(origin && { dates_from: origin }), ...TIMES }));
  source.records = {
    projects: told.map((each, index) => ({ project_id: index + 1, name: 'Bridge', ...each })),
    phases: told.map((each, index) => ({ phase_id: index + 1, project_id: 1, name: 'One', ...each })),
  };
  const { database } = synced.source;
  const parts = { puller: source, live: synced, database, file: join(folder, 'company.duckdb'), memoryLimitMib: 256 };
  await runSync(parts, {});
  const read = async (table: string, id: string) => {
    const sql = `SELECT CONCAT_WS(' ', start_date, end_date, dates_from) AS stored FROM source.${table} ORDER BY ${id}`;
    return (await database.rows<{ stored: string }>(sql)).map(({ stored }) => stored);
  };
  return [await read('projects', 'project_id'), await read('phases', 'phase_id')];
}

it('K3: a sync stores no day that the source has computed', { tags: ['slow'] }, async () => {
  const stored = ['2026-03-02 2026-06-30', '', '2026-03-02', '2026-06-30', '2026-03-02 2026-06-30 unknown'];
  expect(await sync(['set', 'computed', 'start_set', 'end_set', 'unknown'])).toEqual([stored, stored]);
});

it('and knows of a source that does not tell', { tags: ['slow'] }, async () => {
  const stored = ['2026-03-02 2026-06-30 unknown'];
  expect(await sync([undefined])).toEqual([stored, stored]);
});
