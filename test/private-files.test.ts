import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProcess, startServer } from './errors/program.ts';

/** Returns the files and folders below a folder that the group or others may open, by their permissions. */
function findOpen(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const mode = statSync(join(folder, name)).mode & 0o777;
    return [name, mode.toString(8)] as const;
  });
  return Object.fromEntries(found.filter(([, mode]) => !mode.endsWith('00')));
}

it('no command leaves a file that others may read, but the copy without rates', { tags: ['slow'] }, async () => {
  // A restrictive umask of the tests would hide what a command leaves open.
  const umask = process.umask(0o022);
  onTestFinished(() => void process.umask(umask));
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const to = (name: string) => join(folder, name);
  const run = async (command: string, ...more: string[]) => {
    const args = [...command.split(' '), ...more, '--database', to('company.duckdb')];
    const { exitCode, stderr } = await runProcess(args);
    expect(exitCode, stderr).toBe(0);
  };
  mkdirSync(to('data'), { mode: 0o700 });
  writeFileSync(to('data/people.json'), '[{"people_id":1,"name":"Ada","cost_rate":50}]', { mode: 0o600 });
  await run('load', to('data'));
  await run('report projects --period 2026-03 --output', to('projects.xlsx'));
  await run('export', to('export'));
  // Originals of copies may be open to others, or read-only.
  chmodSync(to('projects.xlsx'), 0o444);
  await run('close 2026-03 --file', to('projects.xlsx'));
  await run('template', to('own'));
  chmodSync(to('company.duckdb'), 0o444);
  const { program, url } = await startServer(to('company.duckdb'), {});
  chmodSync(to('company.duckdb'), 0o600);
  const headers = { 'content-type': 'application/json' };
  const posted = await fetch(`${url}/v3/clients`, { method: 'POST', headers, body: '{"name":"A"}' });
  expect(posted.status, await posted.text()).toBe(201);
  await run('token create --label x --scopes reports');
  await run('backup', to('backup'));
  program.signal('SIGTERM');
  await program.outcome;
  chmodSync(to('projects.xlsx'), 0o600);
  mkdirSync(to('restored'), { mode: 0o700 });
  const restored = ['restore', to('backup'), '--database', to('restored/company.duckdb')];
  expect(await runProcess(restored)).toMatchObject({ exitCode: 0 });
  expect(findOpen(folder)).toEqual({
    'company.no-rates.duckdb': '644',
    'company.closings/2026-03@1/company.no-rates.duckdb': '644',
    'backup/company.no-rates.duckdb': '644',
    'backup/company.closings/2026-03@1/company.no-rates.duckdb': '644',
    'restored/company.no-rates.duckdb': '644',
  });
});
