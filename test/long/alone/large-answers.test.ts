import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchProgram } from './server.ts';

const PEOPLE = 60;
const PROJECTS = 8;

/** Days on which each person logs time. */
const DAYS = 520;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Asks for 93,600 rows, a third of which have a difference. */
const QUERY = [
  ...['--from', 'before', '--only-changed', '0', '--start-date', '2024-01-01', '--end-date', '2025-12-31'],
  ...['--group-by', 'day,person,project', '--measures', 'actual_hours,actual_fees,actual_cost'],
];

/** Formats, and the least size of an answer, so that a refusal isn't measured. Unit: bytes. */
const FORMATS: readonly (readonly [format: string, leastBytes: number])[] = [
  ['csv', 10_000_000],
  ['xlsx', 2_000_000],
];

const MAX_MEMORY_MIB = 1_000;

/** The part of it that the engine may take; the rest is that of the program. */
const ENGINE_MEMORY_MIB = 256;

/** Writes a company whose people log time each day. @returns Its folder. */
async function makeCompany(folder: string, rate: number): Promise<string> {
  const dataset = join(folder, `data-${rate}`);
  await mkdir(dataset);
  const count = (length: number) => Array.from({ length }, (_, index) => index + 1);
  const records = {
    people: count(PEOPLE).map((id) => ({ people_id: id, name: `Person ${id}`, cost_rate: 50 })),
    projects: count(PROJECTS).map((id) => ({ project_id: id, name: `Project ${id}`, default_hourly_rate: rate })),
    logged_time: count(PEOPLE).flatMap((id) =>
      count(DAYS).map((day) => ({
        logged_time_id: `${id}.${day}`,
        people_id: id,
        project_id: 1 + ((id + day) % PROJECTS),
        date: new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10),
        hours: 2,
      })),
    ),
  };
  for (const [name, rows] of Object.entries(records))
    await writeFile(join(dataset, `${name}.json`), JSON.stringify(rows));
  return dataset;
}

/** Runs the program to its end. @returns Its peak of memory, in MiB. */
async function runProgram(...args: string[]): Promise<number> {
  const { program, readPeaks } = watchProgram(args);
  const { exitCode, stderr } = await program.outcome;
  expect(exitCode, stderr).toBe(0);
  return readPeaks().summedMib;
}

it('changes of 93,600 rows are written in less than 1,000 MiB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-large-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const database = ['--database', join(folder, 'company.duckdb'), '--memory-limit', String(ENGINE_MEMORY_MIB)];
  await runProgram('load', await makeCompany(folder, 90), ...database);
  await runProgram('keep', 'before', ...database);
  await runProgram('load', await makeCompany(folder, 95), ...database);
  for (const [format, leastBytes] of FORMATS) {
    const output = join(folder, `changes.${format}`);
    const peakMib = await runProgram('report', 'changes', ...QUERY, '--output', output, ...database);
    console.log(`${format}: ${peakMib.toFixed(0)} MiB`);
    expect((await stat(output)).size, format).toBeGreaterThan(leastBytes);
    expect(peakMib, format).toBeLessThan(MAX_MEMORY_MIB);
  }
});
