import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { readExcel } from '../write/xlsx/company.ts';
import { savedValue } from '../write/xlsx/formula.ts';
import { logged, makeBookedCompany } from './booked-company.ts';
import { placeReleased } from './released.ts';

const APRIL = '2026-04-02T09:00:00Z';
const MAY = '2026-05-02T09:00:00Z';

const MEASURES = 'actual_revenue,booked_revenue,catch_up_revenue,restated_revenue';
const TWO_MONTHS = ['--start-date', '2026-03-01', '--end-date', '2026-04-30'];

const LONG = { timeout: 400_000, tags: ['slow'] };

it('B1, B2: what was closed stays booked, and what has become of it stands in the next period', LONG, async () => {
  const { replace, read, run, folder } = makeBookedCompany();
  await replace(APRIL, { logged_time: [logged('2026-03-10', 10)] });
  const open = await read(APRIL, MEASURES, '--period', '2026-03', '--group-by', 'month');
  expect(open.rows).toEqual([
    [1000, 1000, null, null],
    [1000, 1000, null, null],
  ]);
  expect(open.notes).toEqual(['No closing is in force: all is booked as it is known today.']);
  await run(APRIL, 'close', '2026-03');
  expect(readFileSync(join(folder, 'company.closings', '2026-03@1', 'booked.csv'), 'utf8').split('\r\n')).toEqual([
    'project_id,phase_id,first_date,last_date,revenue,cost,expenses,invoiced,written_off',
    '1,0,2026-03-01,2026-03-31,1000.0000,500.0000,0.0000,,',
    '',
  ]);

  await replace(MAY, { logged_time: [logged('2026-03-10', 9), logged('2026-04-10', 5)] });
  expect(await read(MAY, MEASURES, ...TWO_MONTHS, '--group-by', 'month')).toEqual({
    rows: [
      [900, 1000, 0, -100],
      [500, 400, -100, 0],
      [1400, 1400, -100, -100],
    ],
    notes: [],
  });
  const costs = await read(MAY, 'booked_cost,booked_profit', ...TWO_MONTHS, '--group-by', 'client,month');
  expect(costs.rows).toEqual([
    [500, 500],
    [200, 200],
    [700, 700],
  ]);

  // Closed too, April has what was caught up in it; May begins anew.
  await run(MAY, 'close', '2026-04');
  await replace('2026-06-02T09:00:00Z', { logged_time: [logged('2026-04-10', 5), logged('2026-05-10', 2)] });
  const quarter = ['--start-date', '2026-03-01', '--end-date', '2026-05-31', '--group-by'];
  const june = await read('2026-06-02T09:00:00Z', MEASURES, ...quarter, 'month');
  expect(june.rows).toEqual([
    [0, 1000, 0, -1000],
    [500, 400, -100, 0],
    [200, -700, -900, 0],
    [700, 700, -1000, -1000],
  ]);
  // A project whose days of the window are gone is a row by what is booked.
  const march = await read('2026-06-02T09:00:00Z', MEASURES, '--period', '2026-03', '--group-by', 'project');
  expect(march.rows[0]).toEqual([0, 1000, 0, -1000]);

  // As of a closing, all is booked as it was then.
  const asOf = await read('2026-06-02T09:00:00Z', MEASURES, '--as-of', '2026-04', '--group-by', 'month');
  expect(asOf.rows).toEqual([
    [500, 400, -100, 0],
    [500, 400, -100, 0],
  ]);
  const { stdout } = await run(
    '2026-06-02T09:00:00Z',
    'report',
    'changes',
    '--from',
    '2026-03',
    '--measures',
    'booked_revenue,restated_revenue',
  );
  const changes = JSON.parse(stdout).changes.map((row: Record<string, unknown>) => [
    row['value_then'],
    row['value_now'],
  ]);
  expect(changes).toEqual([
    [1000, 1000],
    [0, -1000],
  ]);

  // Reopened, March is booked with April.
  await run('2026-06-02T09:00:00Z', 'reopen', '2026-03', '--reason', 'hours were missing');
  const reopened = await read('2026-06-02T09:00:00Z', MEASURES, ...quarter, 'month');
  expect(reopened.rows).toEqual([
    [0, 900, 0, -900],
    [500, 500, 0, 0],
    [200, -700, -900, 0],
    [700, 700, -900, -900],
  ]);
});

it('B2: page 1 of the board pack begins with what is booked', LONG, async () => {
  const { replace, run, folder } = makeBookedCompany();
  await replace(APRIL, { logged_time: [logged('2026-03-10', 10)] });
  await run(APRIL, 'close', '2026-03');
  await replace(MAY, { logged_time: [logged('2026-03-10', 9), logged('2026-04-10', 5)] });
  const file = join(folder, 'board.xlsx');
  const { code, stderr } = await run(MAY, 'report', 'board', '--period', '2026-04', '--output', file);
  expect(code, stderr).toBe(0);
  const rows: unknown[][] = [];
  const workbook = await readExcel(readFileSync(file));
  workbook.getWorksheet('Summary')?.eachRow((row) => {
    rows.push([2, 6, 7].map((place) => savedValue(row.getCell(place).value)?.toString() ?? ''));
  });
  const at = rows.findIndex(([label]) => label === 'Booked, by the closings in force');
  expect(rows.slice(at + 1, at + 4)).toEqual([
    ['Revenue', '400', 'of it -100.00 USD for earlier months'],
    ['Labour cost', '200', ''],
    ['Profit', '200', ''],
  ]);
  expect(rows.findIndex(([label]) => label === 'Key figures')).toBeGreaterThan(at);
});

it('B2: the close and a mail say what of the revenue is for earlier months', LONG, async () => {
  const { replace, run, folder } = makeBookedCompany();
  await replace(APRIL, { logged_time: [logged('2026-03-10', 10)] });
  expect((await run(APRIL, 'close', '2026-03', '--dry-run')).stdout).not.toContain('Booked');
  await run(APRIL, 'close', '2026-03');
  await replace(MAY, { logged_time: [logged('2026-03-10', 9), logged('2026-04-10', 5)] });
  const sentence = 'Booked: revenue 400.00 USD, of it -100.00 for earlier months.';
  expect((await run(MAY, 'close', '2026-04', '--dry-run')).stdout).toContain(sentence);
  expect((await run(MAY, 'close', '2026-04')).stderr).toContain(sentence);
  const setup = join(folder, 'deliveries.yaml');
  writeFileSync(
    setup,
    `smtp: {host: 127.0.0.1, from: "Reports <reports@example.com>"}
domains: [example.com]
deliveries:
  - {name: pack, when: closed, report: board, parameters: {period: 2026-04}, formats: [xlsx], to: [{email: [ada@example.com]}]}
`,
  );
  const sent = await run(MAY, 'deliver', 'pack', '--dry-run', '--output', join(folder, 'mails'), '--deliveries', setup);
  expect(sent.code, sent.stderr).toBe(0);
  const [mail = ''] = readdirSync(join(folder, 'mails')).filter((name) => name.endsWith('.eml'));
  const { text } = await PostalMime.parse(readFileSync(join(folder, 'mails', mail)));
  expect(text).toContain('Revenue 400.00 USD is booked, of it -100.00 USD for earlier months.');
});

it('B1: blank by person, for a window that cuts a closed period, and for readers of nothing else', LONG, async () => {
  const { replace, read, run, folder } = makeBookedCompany();
  const phases = [{ phase_id: 7, project_id: 1, name: 'Piers' }];
  const time = [logged('2026-03-10', 10, { phase_id: 7 }), logged('2026-03-20', 1)];
  await replace(APRIL, { phases, logged_time: time });
  await run(APRIL, 'close', '2026-03-01..2026-03-15', '--name', 'half');
  await run(APRIL, 'close', '2026-03');
  await replace(MAY, { phases, logged_time: [...time, logged('2026-03-05', 2, { phase_id: 7 })] });
  const by = async (...asked: string[]) => await read(MAY, MEASURES, ...asked);
  const labels = 'Booked revenue, Catch-up of revenue, Restated revenue';

  const person = await by(...TWO_MONTHS, '--group-by', 'project,person');
  expect(person.rows[0]).toEqual([1300, null, null, null]);
  expect(person.notes).toContain(`${labels}: blank by person, as closings keep what is booked by project and phase.`);
  const filtered = await by(...TWO_MONTHS, '--group-by', 'project', '--people-id', '1');
  expect(filtered.rows[0]).toEqual([1300, null, null, null]);

  const cut = await by('--start-date', '2026-03-10', '--end-date', '2026-04-30', '--group-by', 'project');
  expect(cut.rows.at(-1)).toEqual([1100, null, null, null]);
  expect(cut.notes).toContain(
    `${labels}: blank where days that are booked together are cut: 2026-03-01 to 2026-03-15, 2026-03-16 to 2026-03-31.`,
  );
  const days = await by('--period', '2026-03', '--group-by', 'week');
  expect(days.rows.slice(0, -1).every((row) => row[1] === null)).toBe(true);
  expect(days.rows.at(-1)).toEqual([1300, 1100, 0, 200]);

  // The closing of the whole month has kept its half apart.
  const second = await by('--start-date', '2026-03-16', '--end-date', '2026-04-30', '--group-by', 'phase,month');
  expect(second.rows).toEqual([
    [100, 100, 0, 0],
    [0, 200, 200, 0],
    [100, 300, 200, 0],
  ]);

  const table = join(folder, 'company.closings', '2026-03@1', 'booked.csv');
  const removed = await run(MAY, 'closings', 'remove', '2026-03', '--reason', 'test');
  expect(removed.stderr).toContain('2026-03@1 is a closing in force, by which later periods are booked');
  appendFileSync(table, '1,0,2026-03-01,2026-03-15,1.0000,,\r\n');
  const damaged = await by(...TWO_MONTHS, '--group-by', 'project');
  expect(damaged.rows[0]).toEqual([1300, null, null, null]);
  expect(damaged.notes).toContain(`${labels}: blank: booked.csv of 2026-03@1 is not as it was kept.`);
});

describe('B5: a closing of a version that kept no table', LONG, () => {
  it('is booked by the totals that it kept, of projects', async () => {
    const { replace, read, run, folder } = makeBookedCompany();
    await replace(APRIL, { logged_time: [logged('2026-03-10', 10)] });
    placeReleased('0.4.0', folder);
    const totals = readFileSync(join(folder, 'company.closings', '2026-03@1', 'totals.csv'), 'utf8').split('\r\n');
    const [header = [], ...rows] = totals.filter((line) => line !== '').map((line) => line.split(','));
    const cents = (name: string, row: string[]) => Math.round(Number(row[header.indexOf(name)]) * 100);
    const kept = rows.filter((row) => row[header.indexOf('month')] === '2026-03-01');
    const sum = (name: string) => kept.reduce((total, row) => total + cents(name, row), 0) / 100;
    const march = ['--period', '2026-03', '--group-by', 'project'];
    const booked = await read(APRIL, 'booked_revenue,booked_profit', ...march);
    expect(booked.rows.at(-1)).toEqual([sum('earned_revenue'), sum('earned_profit')]);
    const phases = await read(APRIL, 'booked_revenue', '--period', '2026-03', '--group-by', 'phase');
    expect(phases.rows.at(-1)).toEqual([null]);
    expect(phases.notes.at(-1)).toContain('closings of earlier versions have kept what is booked by project');
    expect((await run(APRIL, 'verify')).code).toBe(0);
  });

  it('is left out without revenue by contract', async () => {
    const { replace, read, folder } = makeBookedCompany();
    await replace(APRIL, { logged_time: [logged('2026-03-10', 10)] });
    placeReleased('0.3.0', folder);
    const booked = await read(APRIL, 'booked_revenue', '--period', '2026-03', '--group-by', 'project');
    expect(booked.rows.at(-1)).toEqual([1000]);
    expect(booked.notes).toContain('Nothing is booked by 2026-03@1, which kept no revenue by contract.');
  });
});
