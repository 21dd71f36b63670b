import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAccessLog } from '../../src/doors/identity/access-log.ts';

let folder = '';
let now = new Date('2026-06-15T12:00:00Z');
const errors: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-access-log-'));
  errors.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (accessLogDays: number) =>
  openAccessLog(
    { database: join(folder, 'company.duckdb'), accessLogDays },
    () => now,
    (message) => errors.push(message),
  );
const file = () => join(folder, 'company.access.ndjson');
const days = () =>
  readFileSync(file(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).at.slice(0, 10));

it('accesses are kept for the days that are asked for, over restarts', async () => {
  for (const day of ['2026-06-10', '2026-06-11', '2026-06-14', '2026-06-15']) {
    now = new Date(`${day}T12:00:00Z`);
    const log = open(4);
    log.note({ event: 'sign-in', subject: 'anna' });
    await log.close();
  }
  expect(days()).toEqual(['2026-06-11', '2026-06-14', '2026-06-15']);
  const log = open(4);
  now = new Date('2026-07-15T12:00:00Z');
  log.note({ event: 'sign-out', subject: 'anna' });
  log.note({ event: 'sign-in', subject: 'anna' });
  await log.close();
  expect(days()).toEqual(['2026-07-15', '2026-07-15']);
});

it('0 days keep none, and a log that can’t be written is told', async () => {
  const none = open(0);
  none.note({ event: 'sign-in', subject: 'anna' });
  await none.close();
  expect(() => readFileSync(file())).toThrow(/ENOENT/);
  rmSync(folder, { recursive: true });
  const log = open(1);
  log.note({ event: 'sign-in', subject: 'anna' });
  await log.close();
  mkdirSync(folder);
  expect(errors).toEqual([expect.stringContaining(`The access log ${file()} can't be written`)]);
});
