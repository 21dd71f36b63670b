import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../history/kept-company.ts';
import { type LoadedCompany, loadCompany } from '../sql/company.ts';

const NOW = '2026-03-31T12:00:00Z';
const WINDOW = ['--start-date', '2026-03-01', '--end-date', '2026-03-31'];

let loaded: LoadedCompany;
beforeAll(async () => {
  const work = [
    ...[
      { project_id: 1, people_id: 1 },
      { project_id: 2, people_id: 1 },
      { project_id: 2, people_id: 9 },
    ],
    { project_id: 77, people_id: 1 },
  ];
  loaded = await loadCompany({
    people: [{ people_id: 1, name: '', cost_rate: 50 }],
    projects: [
      { project_id: 1, name: 'Bridge', default_hourly_rate: 100 },
      { project_id: 2, name: '' },
    ],
    logged_time: work.map((ids, index) => ({ logged_time_id: `${index}`, ...ids, date: '2026-03-03', hours: 8 })),
  });
});
afterAll(() => loaded.remove());

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(NOW, [...args, '--database', loaded.file]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

it('an id without a record has one name on the terminal, in sentences and in parts of numbers', async () => {
  const shown = await run('report', 'projects', ...WINDOW, '--insights', '1', '--format', 'table');
  expect(shown).toMatch(/^77 +Unknown project 77 /m);
  expect(shown).toContain('Unknown project 77: ');
  // A record with a blank name isn't unknown.
  expect(shown).toContain('(no name) 2: ');
  expect(shown).toContain('most of them those of Unknown person 9');
  const people = await run('report', 'pivot', ...WINDOW, '--group-by', 'person', '--format', 'table');
  expect(people).toMatch(/^9 +Unknown person 9 /m);
  const clients = await run('report', 'clients', ...WINDOW, '--format', 'table');
  expect(clients).toMatch(/^ +\(no client\) /m);
  const parts = await run('explain', 'projects', ...WINDOW, '--measure', 'actual_hours');
  expect(parts).toContain('Unknown person 9');
});

it('a subtotal of an id without a record has the same name', async () => {
  const groups = ['--group-by', 'project,person', '--measures', 'actual_hours', '--subtotals', '1'];
  const shown = await run('report', 'pivot', ...WINDOW, ...groups, '--format', 'table');
  const subtotals = shown.split('\n').filter((line) => / Total /.test(line));
  expect(subtotals.map((line) => line.trim().split(/ {2,}/).slice(0, 3))).toEqual([
    ['1', 'Bridge', 'Total'],
    ['2', 'Total', '16.00'],
    ['77', 'Unknown project 77', 'Total'],
  ]);
});

it('a null in data stays null', async () => {
  const { projects } = JSON.parse(await run('report', 'projects', ...WINDOW, '--format', 'json'));
  expect(projects.map(({ name }: { name: string | null }) => name)).toEqual(['', 'Bridge', null]);
});

it('a note names the projects that leave a total of earned value unknown', async () => {
  const ask = async (...more: string[]) =>
    JSON.parse(await run('report', 'projects', ...WINDOW, '--fields', 'earned_value,cpi', '--format', 'json', ...more));
  const { totals, meta } = await ask('--earned-in', 'fees');
  expect(totals.earned_value).toBeNull();
  expect(meta.notes).toContain(
    'Earned value (EV), Cost performance index (CPI): no total, because work of these has no bill rate: (no name) 2; Unknown project 77.',
  );
  expect((await ask('--earned-in', 'hours')).meta.notes).toEqual([]);
});
