import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canMount, mount } from '../../errors/mount.ts';
import { startServer } from '../../errors/program.ts';
import { copyKeptCompany, type KeptCompany } from '../../history/kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

/** Makes a company whose kept states are on a disk of their own, so that they are copies. */
async function openBesideDisk(): Promise<{ company: KeptCompany; disk: string }> {
  const company = await copyKeptCompany();
  const disk = join(company.folder, 'company.closings');
  mkdirSync(disk);
  mount(['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
  onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
  return { company, disk };
}

const enlarge = (disk: string) => mount(['-o', 'remount,size=128m', disk]);
const foldersOf = (disk: string) => readdirSync(disk).filter((name) => name !== 'events.ndjson');

describe.skipIf(!canMount())('a disk of kept states that has no room for a copy', { timeout: 300_000 }, () => {
  it('keeps nothing on the command line, and a copy once it has room', async () => {
    const { company, disk } = await openBesideDisk();
    const full = await company.run(NOW, 'close', '2026-03');
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('is full')]);
    expect(foldersOf(disk)).toEqual([]);
    enlarge(disk);
    expect((await company.run(NOW, 'close', '2026-03')).code).toBe(0);
    const before = await company.report();
    await company.load(3);
    expect(await company.report(join(disk, '2026-03@1', 'company.duckdb'))).toBe(before);
    expect((await company.run(NOW, 'verify')).code).toBe(0);
  });

  it('keeps nothing over HTTP, while the server goes on', async () => {
    const { company, disk } = await openBesideDisk();
    const { program, url } = await startServer(company.database);
    const send = async (method: string, path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(new URL(path, url), { method, headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const hard = { period: '2026-03', kind: 'hard', confirm: true };
    expect(await send('POST', '/v3/closings', hard)).toEqual({ status: 503, text: expect.stringContaining('is full') });
    expect(foldersOf(disk)).toEqual([]);
    expect((await send('PATCH', '/v3/logged-time/a', { hours: 7 })).status).toBe(200);
    enlarge(disk);
    expect((await send('POST', '/v3/closings', hard)).status).toBe(201);
    expect((await send('PATCH', '/v3/logged-time/a', { hours: 6 })).status).toBe(422);
    program.signal('SIGTERM');
    expect(await program.outcome).toMatchObject({ exitCode: 0 });
    expect((await company.run(NOW, 'verify')).code).toBe(0);
  });
});
