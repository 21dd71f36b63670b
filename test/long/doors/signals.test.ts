import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { type Program, startProgram } from '../../errors/program.ts';
import { copyLoaded } from '../../loaded.ts';

/** The longest time that a signal takes to end a command. Unit: ms. */
const END_MS = 5_000;

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-signals-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Waits until a folder has a file or folder of this name. */
async function waitForName(folder: string, name: RegExp): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!readdirSync(folder).some((each) => name.test(each))) {
    if (performance.now() > deadline) throw new Error(`${folder} has no ${name}`);
    await sleep(2);
  }
}

/** Ends a program, and kills it if it is still there after the longest time. @returns its exit code. */
async function stop(program: Program, signal: NodeJS.Signals): Promise<number | null> {
  program.signal(signal);
  const ended = await Promise.race([program.outcome, sleep(END_MS)]);
  program.signal('SIGKILL');
  return (ended ?? expect.fail(`It did not end within ${END_MS} ms`)).exitCode;
}

describe('a signal ends a command within seconds, and nothing unfinished stays', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('load, %s', async (signal) => {
    const folder = await makeFolder();
    const program = startProgram(['load', 'fixtures/company-csv', '--database', join(folder, 'company.duckdb')]);
    await waitForName(folder, /\.next-/);
    expect(await stop(program, signal)).toBe(null);
    expect(readdirSync(folder)).toEqual(['company.duckdb.lock']);
  });

  it.each([
    ['report', 'report pivot --start-date 2026-01-01 --end-date 2026-03-31 --group-by person,day --output'],
    ['export', 'export'],
  ])('%s', async (_, command) => {
    const folder = await makeFolder();
    const file = join(folder, 'company.duckdb');
    await copyLoaded('signals', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
    const before = readdirSync(folder);
    const program = startProgram([...command.split(' '), join(folder, 'out.xlsx'), '--database', file]);
    await waitForName(folder, /\.part-/);
    expect(await stop(program, 'SIGTERM')).toBe(null);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each([
    ['sync', []],
    ['sync --every 15m', ['--every', '15m']],
  ])('%s, while its source keeps it waiting', async (_, flags) => {
    const folder = await makeFolder();
    const source = createServer(() => undefined).listen(0, '127.0.0.1');
    onTestFinished(() => void source.closeAllConnections());
    onTestFinished(() => void source.close());
    await once(source, 'listening');
    const { port } = source.address() as AddressInfo;
    const file = join(folder, 'company.duckdb');
    await writeFile(join(folder, 'token'), 'secret', { mode: 0o600 });
    const url = `http://127.0.0.1:${port}/v3`;
    const program = startProgram(['sync', url, '--token-file', join(folder, 'token'), '--database', file, ...flags]);
    await once(source, 'request', { signal: AbortSignal.timeout(END_MS * 4) });
    expect(await stop(program, 'SIGTERM')).toBe(null);
    expect(existsSync(file)).toBe(false);
  });
});

it('a file of another process stays, though its name begins alike', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'company.duckdb');
  const program = startProgram(['load', 'fixtures/company-csv', '--database', file]);
  await waitForName(folder, /\.next-/);
  const other = `company.duckdb.next-${program.pid}1`;
  await cp('package.json', join(folder, other));
  expect(await stop(program, 'SIGTERM')).toBe(null);
  expect(readdirSync(folder)).toContain(other);
});
