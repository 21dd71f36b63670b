import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken } from '../../../src/doors/identity/tokens.ts';
import { readState } from '../../errors/gallery.ts';
import { runProcess, startServer } from '../../errors/program.ts';
import { priced } from '../../published/dataset.ts';
import { type LoadedCompany, loadCompany } from '../../sql/company.ts';

/** Clients that write at the same time. */
const WRITERS = 4;

const REPORT =
  '/v3/reports/pivot?group_by=person,day&measures=actual_hours,actual_cost&start_date=2026-01-01&end_date=2026-03-31';

let company: LoadedCompany;
let folder: string;
let authorization: string;
beforeAll(async () => {
  company = await loadCompany(priced);
  folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-'));
  const { token } = await createToken(
    join(company.file, '..', 'company.tokens.json'),
    { label: 'test', scopes: ['reports', 'rates', 'write'], expires: null },
    new Date(),
  );
  authorization = `Bearer ${token}`;
});
afterAll(() => {
  company.remove();
  rmSync(folder, { recursive: true });
});

async function post(url: string, path: string, record: object): Promise<number> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(record) });
  const { logged_time_id: id, message } = (await response.json()) as Record<string, unknown>;
  expect(response.status, String(message)).toBe(201);
  return id as number;
}

async function readJson(url: string, path: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(new URL(path, url), { headers: { authorization } });
  expect(response.status).toBe(200);
  return response.json() as never;
}

it('a backup taken from a server under load holds every write answered before, and restores elsewhere', async () => {
  const { program, url } = await startServer(company.file);
  const answered: unknown[] = [];
  let isOver = false;
  const write = async (person: number) => {
    for (let count = 0; !isOver; count += 1) {
      const date = `2026-02-${String(2 + (count % 20)).padStart(2, '0')}`;
      answered.push(
        await post(url, '/v3/logged-time', {
          people_id: person,
          project_id: 1,
          date,
          hours: 0.25,
          notes: String(count),
        }),
      );
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index + 1)));
  await expect.poll(() => answered.length).toBeGreaterThan(20);
  const before = [...answered];
  const backup = join(folder, 'first');
  const made = await runProcess(['backup', backup, '--database', company.file]);
  expect(made, made.stderr).toMatchObject({ exitCode: 0, stdout: '' });
  expect(made.stderr).toMatch(/all changes up to change \d+/);
  isOver = true;
  await writing;
  expect(answered.length).toBeGreaterThan(before.length);

  // A server that is killed leaves writes in its journal.
  const second = join(folder, 'second');
  const expected = await readJson(url, REPORT);
  answered.push(await post(url, '/v3/logged-time', { people_id: 1, project_id: 1, date: '2026-07-01', hours: 1 }));
  program.signal('SIGKILL');
  await program.outcome;
  // One that was publishing also leaves a file that the next start removes.
  const left = readdirSync(join(company.file, '..'));
  expect((await runProcess(['backup', second, '--database', company.file])).exitCode).toBe(0);
  const added = readdirSync(join(company.file, '..')).filter((name) => !left.includes(name));
  expect(added.filter((name) => /\.backup(?!\.lock$)|next-/.test(name))).toEqual([]);

  for (const [name, from] of [
    ['one', backup],
    ['two', second],
  ] as const) {
    const database = join(folder, `${name}.duckdb`);
    const restored = await runProcess(['restore', from, '--database', database]);
    expect(restored, restored.stderr).toMatchObject({ exitCode: 0, stdout: '' });
    expect(statSync(join(folder, `${name}.tokens.json`)).mode & 0o777).toBe(0o600);
    const other = await startServer(database);
    const ids: unknown[] = [];
    for (let page = 1; ids.length === (page - 1) * 200; page += 1) {
      const list = await readJson(other.url, `/v3/logged-time?per-page=200&page=${page}&sort=logged_time_id`);
      ids.push(...list.map((record) => record['logged_time_id']));
    }
    expect(ids).toEqual(expect.arrayContaining(from === backup ? before : answered));
    if (from === second) {
      const report = (await readJson(other.url, REPORT)) as never as Record<string, object>;
      const { pivot, totals } = expected as never as Record<string, object>;
      expect(report).toMatchObject({ pivot, totals });
    }
    other.program.signal('SIGTERM');
    expect((await other.program.outcome).exitCode).toBe(0);
  }
});

it.each([
  ['that takes changes', ['--write'], 'owns'],
  ['that only reads', [], 'open'],
])('nothing is restored over the database of a server %s', async (_which, flags, reason) => {
  const { program } = await startServer(company.file, { flags });
  const backup = join(folder, `of-a-server-${flags.length}`);
  expect((await runProcess(['backup', backup, '--database', company.file])).exitCode).toBe(0);
  const before = await readState(join(company.file, '..'));
  const { exitCode, stderr } = await runProcess(['restore', backup, '--replace', '--database', company.file]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('Stop the server first');
  expect(await readState(join(company.file, '..'))).toEqual(before);
  program.signal('SIGTERM');
  await program.outcome;
});
