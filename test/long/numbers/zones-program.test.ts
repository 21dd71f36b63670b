import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { openDatabase } from '../../../src/base/database/database.ts';
import { companyFiles, makeFolder, maskText, writeFiles } from '../../errors/gallery.ts';

/** Time zones of machines: behind UTC by an odd half hour, ahead by an odd 45 minutes, and at both ends of the day. */
const ZONES = ['America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/Adak'];

/** Moments at the end of a day, a month or 29 February, in UTC or in the company's zone. */
const MOMENTS = ['2026-01-31T23:59:58Z', '2028-02-29T23:59:59Z', '2026-01-15T18:14:59Z', '2026-01-15T18:15:00Z'];

/** The days in the company's zone at these moments: its day ends 5:45 hours before the UTC day. */
const TODAYS = ['2026-02-01', '2028-03-01', '2026-01-15', '2026-01-16'];

const JANUARY = ['--start-date', '2026-01-01', '--end-date', '2026-01-31'];

/** A time with a zone, as returned by the engine, the driver and a comparison. */
const SQL = `SELECT TIMESTAMPTZ '2026-07-01 23:30:00+00' AS time, CAST(to_timestamp(0) AS VARCHAR) AS epoch,
  CAST(TIMESTAMPTZ '2026-07-01 23:30:00+00' AS DATE) AS day, current_date = CAST(timezone('UTC', now()) AS DATE) AS is_utc`;

/** The row of this time in the command's answer, and as the driver reads it. */
const ROWS = ['2026-07-01T23:30:00Z', '2026-07-01 23:30:00+00'].map(
  (time) => `{"time":"${time}","epoch":"1970-01-01 00:00:00+00","day":"2026-07-01","is_utc":true}`,
);

/** Reports up to today and over a day skipped by a zone (Kiritimati, 1994-12-31), lines, SQL times. */
const COMMANDS = [
  ...['table', 'json'].map((format) => ['report', 'people', ...JANUARY, '--format', format]),
  [
    'report',
    'people',
    '--start-date',
    '1994-12-25',
    '--end-date',
    '1995-01-05',
    '--interval',
    'day',
    '--format',
    'csv',
  ],
  ['report', 'lines', ...JANUARY, '--format', 'csv'],
  ['sql', SQL],
];

/** Runs commands at given moments, and SQL on a separate engine, in one process. */
const RUNNER = `
  import { runProgram } from '${join(packageDirectory, 'dist', 'src', 'cli.js')}';
  import { openDatabase } from '${join(packageDirectory, 'dist', 'src', 'base', 'database', 'database.js')}';
  const { stdout, stderr } = process;
  for (const { args, moment } of JSON.parse(process.argv[1])) {
    stdout.write('$ ' + args.join(' ') + ' at ' + moment + '\\n');
    const exitCode = await runProgram(args, { stdout, stderr: stdout, now: () => new Date(moment) });
    stdout.write('exit ' + exitCode + '\\n');
  }
  const database = await openDatabase(':memory:');
  stdout.write(JSON.stringify(await database.rows(process.argv[2])));
  await database.close();`;

let root = '';
beforeAll(async () => {
  root = await makeFolder();
  const { 'data/tasks.json': _tasks, ...files } = companyFiles();
  await writeFiles(root, {
    ...files,
    'data/settings.json': { time_zone: 'Asia/Kathmandu' },
    // Logged on each current day, so that it is the cutoff.
    'data/logged_time.2.json': TODAYS.map((date) => {
      return { logged_time_id: date, people_id: 1, project_id: 1, date, hours: 1 };
    }),
  });
  const database = await openDatabase(':memory:');
  await database.run(`COPY (
      SELECT 1 AS task_id, 1 AS project_id, 1 AS people_id, 6 AS hours, TIMESTAMPTZ '2026-01-05 00:00:00+00' AS start_date,
        TIMESTAMPTZ '2026-01-30 00:00:00+00' AS end_date, TIMESTAMPTZ '2026-01-02 22:15:00+00' AS created
    ) TO '${join(root, 'data', 'tasks.parquet')}' (FORMAT parquet)`);
  await database.close();
});
afterAll(() => rm(root, { recursive: true }));

/** Loads the company, runs all commands in a time zone and returns their output. */
async function runIn(zone: string): Promise<string> {
  const folder = join(root, zone);
  mkdirSync(folder, { recursive: true });
  const at = (moment: string, args: string[]) => {
    return { moment, args: [...args, '--database', join(folder, 'company.duckdb')] };
  };
  const runs = MOMENTS.flatMap((moment, index) => [
    ...(index === 0 ? [at(moment, ['load', join(root, 'data')])] : []),
    ...COMMANDS.slice(0, index === 0 ? COMMANDS.length : 1).map((command) => at(moment, command)),
  ]);
  const args = ['--input-type=module', '--eval', RUNNER, JSON.stringify(runs), SQL];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, TZ: zone } });
  return maskText(stdout, folder).replaceAll(/\d+(\.\d+)? m?s\b/g, 'SECONDS');
}

it('a machine’s time zone does not affect loading, reports or SQL results', async () => {
  const utc = await runIn('UTC');
  for (const row of ROWS) expect(utc.split(row), row).toHaveLength(2);
  for (const cutoff of TODAYS) expect(utc).toContain(`actual to ${cutoff} (`);
  expect([...utc.matchAll(/exit (\d)/g)].map(([, code]) => code)).toEqual(
    Array(COMMANDS.length + MOMENTS.length).fill('0'),
  );
  for (const zone of ZONES) expect((await runIn(zone)).split('\n'), zone).toEqual(utc.split('\n'));
});
