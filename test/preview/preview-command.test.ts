import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../history/kept-company.ts';
import { type LoadedCompany, loadCompany } from '../sql/company.ts';
import { BRIDGE, COMPANY, W7 } from './w7.ts';

const MOMENT = '2026-06-15T12:00:00Z';

let company: LoadedCompany;
beforeAll(async () => {
  company = await loadCompany(COMPANY);
});
afterAll(() => company.remove());

/** Returns the content of all files of the company. */
function readFolder(): Record<string, string> {
  const folder = dirname(company.file);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );
}

/** Previews changes from a file. */
async function preview(changes: unknown, ...args: string[]) {
  const file = join(tmpdir(), `plumbline-changes-${process.pid}.json`);
  writeFileSync(file, typeof changes === 'string' ? changes : JSON.stringify(changes));
  const parameters = Object.entries(W7.parameters).flatMap(([name, value]) => [
    `--${name.replaceAll('_', '-')}`,
    value,
  ]);
  return runCommand(MOMENT, [
    'preview',
    file,
    '--report',
    'projects',
    ...parameters,
    '--database',
    company.file,
    ...args,
  ]);
}

it('the command answers what a server does, and leaves no trace', { tags: ['slow'] }, async () => {
  const before = readFolder();
  const { code, stdout, stderr } = await preview(W7.changes, '--measures', 'forecast_cost');
  expect([code, stderr]).toEqual([0, '']);
  const answer = JSON.parse(stdout);
  expect(answer.preview).toMatchObject({
    before: [{ project_id: 501, forecast_cost: 7200 }],
    after: [{ project_id: 501, forecast_cost: 4512 }],
    changes: [BRIDGE],
  });
  expect(readFolder()).toEqual(before);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('plumbline-preview-'))).toEqual([]);
});

it('the command shows differences alone on a terminal, and its refusals', { tags: ['slow'] }, async () => {
  const shown = await preview(W7.changes, '--format', 'table', '--measures', 'forecast_cost');
  const [, bridge = ''] = shown.stdout.split('Differences by cause');
  expect(bridge).toMatch(/501 +Harbor +forecast_cost +money +7,200.00 +4,512.00 +-2,688.00 +-2,880.00 +192.00\n/);
  expect(bridge).not.toContain('Billable');
  const refused = await preview([{ method: 'DELETE', path: '/v3/tasks/78' }]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Change 1, DELETE /v3/tasks/78: There is no record 78'),
  ]);
  const wrong = await preview('{');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not a file of changes: ')]);
  expect((await preview(W7.changes, '--format', 'csv')).code).toBe(2);
  await runCommand(MOMENT, ['close', '2026-03', '--kind', 'hard', '--confirm', '--database', company.file]);
  const closed = await preview([{ method: 'PATCH', path: '/v3/logged-time/02', body: { hours: 7 } }]);
  expect([closed.code, closed.stderr]).toEqual([0, '']);
  expect(JSON.parse(closed.stdout).meta.notes).toEqual([
    expect.stringMatching(
      /^Change 1, PATCH \/v3\/logged-time\/02 could not be written: it would change logged time of 2026-03-02: 2026-03 is closed hard by .*; reopen 2026-03\.$/,
    ),
  ]);
});
