import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logged, makeBookedCompany } from './booked-company.ts';
import { placeReleased } from './released.ts';

const APRIL = '2026-04-02T09:00:00Z';
const MAY = '2026-05-02T09:00:00Z';
const JUNE = '2026-06-02T09:00:00Z';

const MEASURES = 'opening_position,opening_position_kept,restated_position,position';
const DONE = ['--cutoff-date', '2026-05-31'];
const QUARTER = ['--start-date', '2026-03-01', '--end-date', '2026-05-31', ...DONE, '--group-by', 'month'];

const invoice = (invoice_id: number, issue_date: string, amount: string) => ({
  ...{ invoice_id, issue_date },
  lines: [{ invoice_line_id: invoice_id, project_id: 1, amount }],
});

it('N4: an opening position stands beside what closings have kept of it, and what has become of it since', {
  timeout: 400_000,
  tags: ['slow'],
}, async () => {
  const { replace, read, run } = makeBookedCompany();
  await replace(APRIL, { logged_time: [logged('2026-03-10', 10)], invoices: [invoice(1, '2026-03-20', '600')] });
  const open = await read(APRIL, MEASURES, ...QUARTER);
  expect(open.rows.map(([, ...kept]) => kept.slice(0, 2))).toEqual(open.rows.map(() => [null, null]));
  await run(APRIL, 'close', '2026-03');

  await replace(MAY, {
    logged_time: [logged('2026-03-10', 9), logged('2026-04-10', 5)],
    invoices: [invoice(1, '2026-03-20', '650'), invoice(2, '2026-04-20', '100')],
    write_offs: [{ write_off_id: 1, date: '2026-03-25', project_id: 1, amount: '40' }],
  });
  const may = await read(MAY, MEASURES, ...QUARTER);
  expect(may).toEqual({
    rows: [
      // No closing ends before March.
      [0, null, null, 210],
      [210, 400, -190, 610],
      // Open days are as they are known today.
      [610, 800, -190, 610],
      [0, null, null, 610],
    ],
    notes: [],
  });
  const april = await read(MAY, MEASURES, '--period', '2026-04', ...DONE, '--group-by', 'project');
  expect(april.rows).toEqual([
    [210, 400, -190, 610],
    [210, 400, -190, 610],
  ]);

  // April has closed March as it was then: only what came later restates it.
  await run(MAY, 'close', '2026-04');
  await replace(JUNE, {
    logged_time: [logged('2026-03-10', 8), logged('2026-04-10', 5), logged('2026-05-10', 1)],
    invoices: [invoice(1, '2026-03-20', '650'), invoice(2, '2026-04-20', '120')],
    write_offs: [{ write_off_id: 1, date: '2026-03-25', project_id: 1, amount: '40' }],
  });
  const june = await read(JUNE, MEASURES, ...QUARTER);
  expect(june.rows).toEqual([
    [0, null, null, 110],
    [110, 400, -290, 490],
    [490, 610, -120, 590],
    [0, null, null, 590],
  ]);
  const ofPeople = await read(JUNE, MEASURES, '--period', '2026-05', ...DONE, '--group-by', 'person');
  expect(ofPeople.rows.at(-1)?.slice(1, 3)).toEqual([null, null]);
  expect(ofPeople.notes.join(' ')).toContain(
    'Opening position as closed, Restated position: blank by person, as closings keep what is booked by project and phase.',
  );
});

it('has a row for what was closed and is settled or gone since, and shared contracts whole', {
  timeout: 400_000,
  tags: ['slow'],
}, async () => {
  const { replace, read, run } = makeBookedCompany();
  const project = (project_id: number, more: object = {}) => ({
    ...{ project_id, name: `P${project_id}`, default_hourly_rate: 100, ...more },
  });
  const projects = [project(1), project(2), project(3), project(4, { contract_id: 8 }), project(5, { contract_id: 8 })];
  const log = (project_id: number, hours: number) =>
    logged('2026-03-10', hours, { logged_time_id: String(project_id), project_id });
  const march = {
    projects,
    logged_time: [log(1, 10), log(2, 4), log(3, 2)],
    invoices: [invoice(1, '2026-03-20', '600')],
  };
  await replace(APRIL, march);
  await run(APRIL, 'close', '2026-03');
  const settling = {
    ...invoice(2, '2026-03-31', '400'),
    lines: [{ invoice_line_id: 2, project_id: 2, amount: '400' }],
  };
  await replace(MAY, {
    projects: projects.filter(({ project_id }) => project_id !== 3),
    logged_time: [log(1, 9), log(2, 4)],
    invoices: [...march.invoices, settling],
  });
  const april = ['--period', '2026-04', ...DONE, '--group-by', 'project'];
  const { rows } = await read(MAY, `project_id,${MEASURES},contract_asset`, ...april);
  expect(rows).toEqual([
    [1, 300, 400, -100, 300, 300],
    [2, 0, 400, -400, 0, 0],
    [3, 0, 200, -200, 0, 0],
    // Projects of a shared contract without any work leave the others known.
    [null, 300, 1000, -700, 300, 300],
  ]);
  // The cutoff says what is known today, and not what was closed.
  const early = ['--period', '2026-04', '--cutoff-date', '2026-03-05', '--group-by', 'client'];
  expect((await read(MAY, MEASURES, ...early)).rows.at(-1)).toEqual([0, 1000, -1000, 0]);
});

it('a closing and a load tell what has become of revenue and bills, though no line of work has changed', {
  timeout: 400_000,
  tags: ['slow'],
}, async () => {
  const { replace, run, folder } = makeBookedCompany();
  const projects = [{ project_id: 1, name: 'Bridge', contract: 'fixed', budget_type: 2, budget_total: 10_000 }];
  const progress = (percent: number) => [{ progress_id: 1, project_id: 1, date: '2026-03-31', percent }];
  const shared = { projects, logged_time: [logged('2026-03-10', 10)] };
  await replace(APRIL, { ...shared, progress: progress(40), invoices: [invoice(1, '2026-03-20', '600')] });
  await run(APRIL, 'close', '2026-03');
  const write_offs = [{ write_off_id: 1, date: '2026-03-30', project_id: 1, amount: '50' }];
  const logged_time = [...shared.logged_time, logged('2026-04-30', 1)];
  await replace(MAY, {
    ...shared,
    logged_time,
    progress: progress(30),
    invoices: [invoice(1, '2026-03-20', '700')],
    write_offs,
  });
  const data = join(folder, 'data');
  for (const command of [
    ['close', '2026-03', '--dry-run'],
    ['load', data],
  ]) {
    const { stdout, stderr } = await run(MAY, ...command);
    const told = `${stdout}${stderr}`;
    expect(told).toContain('actual revenue -1,000.00 USD, invoiced +100.00 USD, written off +50.00 USD');
    expect(told).not.toContain('Nothing has come into it since');
  }
  // A load that decides nothing of its days says nothing of it.
  const before = { progress: progress(40), invoices: [invoice(1, '2026-03-20', '600')], write_offs: [] };
  await replace(JUNE, { ...shared, ...before });
  const { stdout, stderr } = await run(JUNE, 'load', data);
  expect(`${stdout}${stderr}`).not.toContain('Since 2026-03@1 was closed');
});

it('closings of earlier versions have kept nothing that is billed', { timeout: 400_000, tags: ['slow'] }, async () => {
  const { folder, replace, read } = makeBookedCompany();
  await replace(APRIL, { logged_time: [logged('2026-03-10', 10)], invoices: [invoice(1, '2026-03-20', '600')] });
  placeReleased('0.4.0', folder);
  const { rows, notes } = await read(APRIL, MEASURES, '--period', '2026-04', ...DONE, '--group-by', 'project');
  expect(rows[0]).toEqual([400, null, null, 400]);
  expect(notes.at(-1)).toContain('blank, as closings of earlier versions have kept nothing that is billed');
});
