import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { makeFolder, writeFiles } from '../../errors/gallery.ts';
import { runProcess, startServer } from '../../errors/program.ts';
import { QUARTER } from '../../http/served.ts';
import { makeFolder as makeCompany } from '../../live/data.ts';

/** Flags of Node that end the process when the garbage collector closes a file. */
const nodeFlags = ['--throw-deprecation', '--import', fileURLToPath(new URL('./collect.js', import.meta.url))];

const HOUR = { people_id: 1, project_id: 1, date: '2026-01-07', hours: 0.25 };

const DEPRECATED = /DEP\d+|garbage collection/;

describe('every opened file is closed', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await makeFolder();
    file = join(folder, 'company.duckdb');
    await writeFiles(join(folder, 'broken'), { 'people.json': '{"people_id": 1' });
    const load = await runProcess(['load', join(packageDirectory, 'fixtures', 'company-csv'), '--database', file], {
      nodeFlags,
    });
    expect(load).toMatchObject({ exitCode: 0 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  const report = ['report', 'lines', '--start-date', '2020-01-01', '--end-date', '2030-12-31'];
  it.each([
    [0, ['load', join(packageDirectory, 'fixtures', 'company')]],
    [1, ['load', 'FOLDER/broken']],
    [0, [...report, '--format', 'csv']],
    [0, [...report, '--format', 'parquet', '--output', 'FOLDER/lines.parquet']],
    [0, [...report, '--format', 'xlsx', '--output', 'FOLDER/lines.xlsx']],
    [0, ['export', 'FOLDER/marts']],
    [0, ['sql', 'SELECT count(*) FROM marts.ledger']],
    [0, ['status']],
  ])('exit code %i: %j', async (exitCode, args) => {
    const given = args.map((arg) => arg.replace('FOLDER', folder));
    const outcome = await runProcess([...given, '--database', file], { nodeFlags });
    expect(outcome.stderr).not.toMatch(DEPRECATED);
    expect(outcome.exitCode, outcome.stderr).toBe(exitCode);
  });
});

describe('a server', () => {
  it('closes every opened file, also for clients that disconnect during an answer', async () => {
    const { file, remove } = await makeCompany('company');
    const { program, url } = await startServer(file, { nodeFlags });
    for (const format of ['csv', 'ndjson', 'json', 'parquet', 'arrow', 'xlsx']) {
      const gone = new AbortController();
      const path = `${url}/v3/reports/lines.${format}?${QUARTER}`;
      const whole = await fetch(path);
      await whole.arrayBuffer();
      const broken = await fetch(path, { signal: gone.signal });
      gone.abort();
      await broken.arrayBuffer().catch(() => undefined);
      const headers = { 'content-type': 'application/json' };
      const written = await fetch(`${url}/v3/logged-time`, { method: 'POST', headers, body: JSON.stringify(HOUR) });
      expect([whole.status, written.status]).toEqual([200, 201]);
    }
    await sleep(500);
    program.signal('SIGTERM');
    const { stderr, exitCode } = await program.outcome;
    expect(stderr).not.toMatch(DEPRECATED);
    expect(exitCode, stderr).toBe(0);
    remove();
  });

  it("that can't start because its port is taken closes its files", async () => {
    const { file, remove } = await makeCompany('company');
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { stderr, exitCode } = await runProcess(['serve', '--write', '--database', file, '--port', String(port)], {
      nodeFlags,
    });
    taken.close();
    expect(stderr).toContain(String(port));
    expect(stderr).not.toMatch(DEPRECATED);
    expect(exitCode, stderr).toBe(1);
    remove();
  });
});
