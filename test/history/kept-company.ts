import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli.ts';
import { copyLoaded } from '../loaded.ts';

/** The output and the exit code of a command. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A database with a small company, and the commands on it. */
export interface KeptCompany {
  readonly folder: string;
  readonly database: string;
  /** Loads the company with so many hours logged on 5 March. */
  load(hours: number, now?: string, ...flags: string[]): Promise<Ran>;
  /** Runs a command on the database. @param now The moment, as YYYY-MM-DDTHH:MM:SSZ. */
  run(now: string, ...args: string[]): Promise<Ran>;
  /** Prints a report of March as JSON, without its metadata. */
  report(database?: string): Promise<string>;
}

/** Makes a company whose first load is shared by the tests of a run. */
export async function copyKeptCompany(hours = 8): Promise<KeptCompany> {
  const company = makeKeptCompany();
  await copyLoaded(`history-${hours}`, company.folder, async (folder) => {
    await writeCompany(join(folder, 'data'), hours);
    const { code, stderr } = await runCommand(MOMENT, [
      'load',
      join(folder, 'data'),
      '--database',
      join(folder, 'company.duckdb'),
    ]);
    if (code !== 0) throw new Error(stderr);
  });
  return company;
}

async function writeCompany(folder: string, hours: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, records] of Object.entries(companyOf(hours))) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(records));
  }
}

const MOMENT = '2026-04-03T16:20:05Z';

export function makeKeptCompany(): KeptCompany {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, 'company.duckdb');
  const run: KeptCompany['run'] = (now, ...args) => runCommand(now, [...args, '--database', database]);
  return {
    folder,
    database,
    run,
    async load(hours, now = MOMENT, ...flags) {
      const data = join(folder, 'data');
      await writeCompany(data, hours);
      return run(now, 'load', data, '--accept-shrink', ...flags);
    },
    async report(file = database) {
      const window = ['--start-date', '2026-03-01', '--end-date', '2026-03-31', '--cutoff-date', '2026-03-31'];
      const asked = ['report', 'projects', ...window, '--format', 'csv', '--database', file];
      const { code, stdout, stderr } = await runCommand(MOMENT, asked);
      if (code !== 0) throw new Error(stderr);
      return stdout;
    },
  };
}

export async function runCommand(now: string, args: readonly string[]): Promise<Ran> {
  const stream = () => Object.assign(new PassThrough(), { isTTY: false });
  const [stdout, stderr] = [stream(), stream()];
  const texts = { stdout: '', stderr: '' };
  stdout.on('data', (chunk) => {
    texts.stdout += String(chunk);
  });
  stderr.on('data', (chunk) => {
    texts.stderr += String(chunk);
  });
  const code = await runProgram(args, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    now: () => new Date(now),
  });
  return { code, ...texts };
}

function companyOf(hours: number): Record<string, readonly Record<string, unknown>[]> {
  return {
    people: [{ people_id: 1, name: 'Ada', cost_rate: 50 }],
    projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: 100, start_date: '2026-01-01' }],
    tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-03-02', end_date: '2026-03-06', hours: 6 }],
    logged_time: [
      { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-03-05', hours },
      { logged_time_id: 'b', project_id: 1, people_id: 1, date: '2026-03-31', hours: 1 },
    ],
  };
}
