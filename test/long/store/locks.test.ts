import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { openDatabase } from '../../../src/base/database/database.ts';
import {
  COMPANY,
  companyFiles,
  formatChange,
  formatOutcome,
  makeFolder,
  maskText,
  type Outcome,
  readState,
  writeFiles,
} from '../../errors/gallery.ts';
import { runProcess, startProgram } from '../../errors/program.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await makeFolder();
  file = join(folder, 'company.duckdb');
  const more = (COMPANY['logged_time'] ?? []).map((record) => ({ ...record, hours: 7 }));
  await writeFiles(folder, { ...companyFiles(), ...companyFiles('more'), 'more/logged_time.json': more });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('the second of two parallel loads stops with a message, the first goes on, and both states are complete', async () => {
  await load('data');
  const before = await readState(folder);
  const first = startProgram(['load', join(folder, 'more'), '--database', file]);
  while (!readdirSync(folder).some((name) => name.startsWith('company.duckdb.next-'))) await sleep(5);
  first.signal('SIGSTOP');
  const second = await load('data', 1);
  expect((await readState(folder)).get('company.duckdb')).toBe(before.get('company.duckdb'));
  expect(await readHours()).toBe('5.5000');
  first.signal('SIGCONT');
  expect(await first.outcome).toMatchObject({ exitCode: 0 });
  expect(await readHours()).toBe('7.0000');
  expectNoLeftovers();
  await expectGolden('two-loads-at-once', 'Two loads of one database at once.', 'load DIR/data', second);
});

it('a killed load holds no lock, and its leftovers are removed', async () => {
  await load('data');
  const killed = startProgram(['load', join(folder, 'more'), '--database', file]);
  while (!existsSync(`${file}.next-${killed.pid}`)) await sleep(5);
  killed.signal('SIGKILL');
  await killed.outcome;
  expect(await readHours()).toBe('5.5000');
  await load('more');
  expect(await readHours()).toBe('7.0000');
  expectNoLeftovers();
});

it("a database being written by another program can't be reported on", async () => {
  await load('data');
  const writer = await openDatabase(file);
  await writer.run('CREATE TABLE mine (text VARCHAR)');
  const report = ['report', 'people', '--start-date', '2026-01-01', '--end-date', '2026-01-31', '--database', file];
  const outcome = await runProcess(report);
  await expectGolden('database-in-use', 'Another program writes to the database.', 'report people ...', outcome);
  await writer.close();
});

it('a connection kept open during a load still sees its generation', async () => {
  await load('data');
  const reader = await openDatabase(file, { readOnly: true });
  const before = await reader.rows('FROM source.generation');
  await load('more');
  expect(await reader.rows('FROM source.generation')).toEqual(before);
  expect(await reader.rows("SELECT hours FROM core.ledger WHERE kind = 'actual'")).toEqual([{ hours: '5.5000' }]);
  expect(await readHours()).toBe('7.0000');
  await reader.close();
});

async function load(directory: string, exitCode = 0): Promise<Outcome> {
  const outcome = await runProcess(['load', join(folder, directory), '--database', file]);
  expect(outcome.exitCode, outcome.stderr).toBe(exitCode);
  return outcome;
}

function expectNoLeftovers(): void {
  expect(readdirSync(folder).sort()).toEqual([
    'company.duckdb',
    'company.duckdb.lock',
    'company.no-rates.duckdb',
    'data',
    'more',
  ]);
}

async function readHours(): Promise<string | undefined> {
  const database = await openDatabase(file, { readOnly: true });
  const [row] = await database.rows<{ hours: string }>(
    "SELECT sum(hours) AS hours FROM core.ledger WHERE kind = 'actual'",
  );
  await database.close();
  return row?.hours;
}

async function expectGolden(name: string, title: string, command: string, outcome: Outcome): Promise<void> {
  const text = `# ${title}\n\n${formatOutcome(command, outcome, formatChange(new Map(), new Map()))}`;
  const golden = join(packageDirectory, 'test', 'errors', 'expected', `${name}.txt`);
  await expect(maskText(text, folder)).toMatchFileSnapshot(golden);
}
