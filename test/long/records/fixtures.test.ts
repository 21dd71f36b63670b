import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/base/database/database.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';

// The example company: JSON and CSV agree, and its holidays take effect (D4).

const NOW = new Date('2026-06-15T12:00:00Z');

const folder = mkdtempSync(join(tmpdir(), 'plumbline-fixtures-'));
let json: Database;
let csv: Database;

const open = async (name: string) => {
  const file = join(folder, `${name}.duckdb`);
  await loadDataset(`fixtures/${name}`, file, { now: NOW });
  return openDatabase(file, { readOnly: true });
};

beforeAll(async () => {
  json = await open('company');
  csv = await open('company-csv');
});
afterAll(async () => {
  await json.close();
  await csv.close();
  rmSync(folder, { recursive: true });
});

it('the JSON and CSV versions of the company have the same lines and time off', async () => {
  for (const table of ['marts.ledger', 'core.time_off_days']) {
    const all = `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${table} ORDER BY ALL`;
    const rows = await json.rows(all);
    expect(rows.length).toBeGreaterThan(500);
    expect(await csv.rows(all)).toEqual(rows);
  }
});

it('holidays take the whole day from everybody, or from the people of their region', async () => {
  const rows = await json.rows(`
    SELECT off.date, count(*) AS people, count(*) FILTER (off.is_day_off) AS days_off, count(lines.task_id) AS scheduled
    FROM core.time_off_days AS off
    JOIN source.people ON people.people_id = off.people_id
    JOIN core.holidays ON holidays.people_id = off.people_id AND off.date BETWEEN holidays.first_date AND holidays.last_date
    LEFT JOIN marts.ledger AS lines
      ON lines.kind = 'scheduled' AND lines.people_id = off.people_id AND lines.date = off.date
    GROUP BY off.date ORDER BY off.date`);
  // The people of 40 who are employed and have work hours on that weekday.
  expect(rows).toEqual([
    { date: '2025-06-10', people: 1, days_off: 1, scheduled: 0 },
    { date: '2025-12-25', people: 39, days_off: 39, scheduled: 0 },
    { date: '2025-12-26', people: 37, days_off: 37, scheduled: 0 },
    { date: '2026-01-01', people: 38, days_off: 38, scheduled: 0 },
    { date: '2026-06-10', people: 1, days_off: 1, scheduled: 0 },
  ]);
});
