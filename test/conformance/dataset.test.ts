import { afterAll, beforeAll, expect, it } from 'vitest';
import { readExcel } from '../write/xlsx/company.ts';
import { type Api, openApi } from './api.ts';

const ANN = 1;

let api: Api;
beforeAll(async () => {
  api = await openApi({
    settings: {
      name: 'Studio Nord',
      currency: 'CHF',
      work_days_hours: [2, 0, 0, 0, 0, 0, 0],
      time_zone: 'Pacific/Kiritimati',
      week_starts_on: 0,
      fiscal_year_starts_in: 7,
    },
    people: [
      { people_id: ANN, name: 'Ann', created: '2020-02-03 04:05:06', modified: '2021-02-03 04:05:06', shoe_size: 41 },
    ],
    clients: [{ client_id: 1, name: 'Acme' }],
    projects: [{ project_id: 1, name: 'Bridge' }],
    phases: [
      { phase_id: 1, project_id: 1, name: 'Build', color: 'greenish' },
      { phase_id: 2, project_id: 1, name: 'Draw', color: '#00aa33' },
    ],
    logged_time: [
      { logged_time_id: 'a', people_id: ANN, project_id: 1, date: '2026-03-01', hours: 1 },
      // The current day is the cutoff.
      { logged_time_id: 'b', people_id: ANN, project_id: 1, date: '2026-06-16', hours: 1 },
    ],
  });
});
afterAll(() => api.close());

const report = (window: string) => api.read(`reports/people?${window}&include_empty=1`);

it('IN 1.5-1: created and modified are kept unchanged', async () => {
  expect(await api.read('people/1')).toMatchObject({ created: '2020-02-03 04:05:06', modified: '2021-02-03 04:05:06' });
});

it.each(['clients/1', 'projects/1', 'logged-time/a'])(
  'IN 1.5-2: %s without times gets the time of the load',
  async (path) => {
    const { created, modified } = await api.read(path);
    // One time for all records, before the clock of the server.
    const { created: moment } = await api.read('clients/1');
    expect([created, modified]).toEqual([moment, moment]);
    expect(moment).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(moment <= '2026-06-15 12:00:00').toBe(true);
  },
);

it('IN 1.5-5: an invalid color is stored as null, with a finding', async () => {
  expect(await api.column('phases?sort=phase_id', 'color')).toEqual([null, '00aa33']);
  const { text } = await api.send('GET', 'reports/data-quality?start_date=2026-01-01&end_date=2026-12-31');
  expect(text).toMatch(/color/);
});

it('IN 1.5-6: an unknown field is not stored', async () => {
  expect(await api.read('people/1')).not.toHaveProperty('shoe_size');
});

it('IN settings.name: the workbook names the company', { tags: ['slow'] }, async () => {
  const answer = await fetch(new URL('/v3/reports/people.xlsx?start_date=2026-03-01&end_date=2026-03-01', api.url));
  expect(answer.status, answer.ok ? '' : await answer.text()).toBe(200);
  const workbook = await readExcel(Buffer.from(await answer.arrayBuffer()));
  expect(JSON.stringify(workbook.worksheets.map((sheet) => sheet.getSheetValues()))).toContain('Studio Nord');
});

it('IN settings.currency: it is the currency of amounts', async () => {
  expect((await report('start_date=2026-03-01&end_date=2026-03-01')).meta.currency).toBe('CHF');
});

it('IN settings.work_days_hours: it applies to people without hours of their own', async () => {
  const { people } = await report('start_date=2026-03-01&end_date=2026-03-07');
  expect(people.map(({ capacity_hours }: { capacity_hours: number }) => capacity_hours)).toEqual([2]);
});

it('IN settings.time_zone: it decides the current day', async () => {
  // The server's clock is at noon UTC on 15 June: in Kiritimati, 14 hours ahead, it is the 16th.
  expect((await report('start_date=2026-06-01&end_date=2026-06-30')).meta.parameters.cutoff_date).toBe('2026-06-16');
});

it('IN settings.week_starts_on: weeks of a report start on that day', async () => {
  const { people } = await report('start_date=2026-03-01&end_date=2026-03-14&interval=week');
  const starts = people.map(({ period_start }: { period_start: string }) => period_start);
  expect(starts).toEqual(['2026-03-01', '2026-03-08']);
});

it('IN settings.fiscal_year_starts_in: years of a report start in that month', async () => {
  const { people } = await report('start_date=2026-01-01&end_date=2026-12-31&interval=year');
  const starts = people.map(({ period_start }: { period_start: string }) => period_start);
  expect(starts).toEqual(['2026-01-01', '2026-07-01']);
});
