import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyFiles, makeFolder, run, writeFiles } from '../../errors/gallery.ts';
import { startServer } from '../../errors/program.ts';
import { type Served, serve } from '../../http/served.ts';
import { company, TASKS } from '../../sync/company.ts';

/** A name of 200 bytes with its extension, the most allowed. */
const LONGEST_BYTES = 193;

let folder = '';
let source: Served;
beforeAll(async () => {
  folder = await makeFolder();
  await writeFiles(folder, { ...companyFiles(), token: 'secret-token-of-the-source\n' });
  source = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
});
afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true });
});

describe('load, report, sql, serve and sync work with a database called', () => {
  it.each(['source', `generation.it's a "core".[ab]*`.padEnd(LONGEST_BYTES, 'x')])('%s', async (name) => {
    const place = mkdtempSync(join(folder, 'program-'));
    const file = join(place, `${name}.duckdb`);
    const expectRun = async (command: string, ...args: string[]) => {
      const { exitCode, stdout, stderr } = await run([command, ...args, '--database', file]);
      expect(exitCode, stderr).toBe(0);
      return stdout;
    };
    await expectRun('load', join(folder, 'data'));
    const window = ['--start-date', '2026-01-01', '--end-date', '2026-01-31'];
    expect(await expectRun('report', 'projects', ...window, '--format', 'csv')).toContain('Bridge');
    expect(await expectRun('sql', 'SELECT SUM(hours) AS h FROM core.ledger', '--format', 'csv')).toContain('35.5');
    const { program, url } = await startServer(file);
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v3/clients`, { method: 'POST', headers, body: '{"name":"Owner"}' });
    expect([reply.status, await reply.text()]).toEqual([201, expect.stringContaining('"Owner"')]);
    program.signal('SIGTERM');
    expect(await program.outcome).toMatchObject({ exitCode: 0 });
    // A sync takes over neither the changes of a server nor the states that it has kept.
    for (const left of readdirSync(place)) await rm(join(place, left), { recursive: true });
    await expectRun('sync', source.url, '--token-file', join(folder, 'token'), '--requests-per-minute', '6000');
    expect(await expectRun('sql', 'SELECT COUNT(*) AS n FROM source.tasks', '--format', 'csv')).toContain(`${TASKS}`);
  });
});
