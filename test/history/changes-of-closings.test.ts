import { beforeAll, describe, expect, it } from 'vitest';
import { moveDay } from '../../src/base/calendar/day.ts';
import type { Row } from '../sql/company.ts';
import { type BuiltState, buildState, type Compared, compareDays, compareStates, told } from './compared-company.ts';

const logged = (id: string, date: string, hours: number, project_id = 501) => ({
  logged_time_id: id,
  people_id: 101,
  project_id,
  date,
  hours,
});

const company = (...logged_time: readonly object[]) => ({
  people: [{ people_id: 101, name: 'Ana', cost_rate: 60 }],
  projects: [501, 502].map((project_id) => ({ project_id, name: `Project ${project_id}` })),
  logged_time,
});

// Since February was closed, one record is corrected, one has gone to March, and one has come; since March, one is gone.
const FEBRUARY = company(logged('1', '2026-02-03', 8), logged('2', '2026-02-10', 6), logged('3', '2026-03-03', 1));
const MARCH = company(
  logged('1', '2026-02-03', 7),
  logged('2', '2026-02-10', 6),
  logged('3', '2026-03-03', 8),
  logged('4', '2026-03-04', 5, 502),
);
const NOW = company(
  logged('1', '2026-02-03', 7),
  logged('2', '2026-03-10', 6),
  logged('3', '2026-03-03', 8),
  logged('5', '2026-02-20', 2, 502),
  logged('6', '2026-04-02', 8),
);

const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' };
const closed = (month: string, last: string, day: string) => ({
  days: { startDate: `2026-${month}-01`, endDate: `2026-${month}-${last}` },
  cutoffDate: `2026-${month}-${last}`,
  day,
});

describe('X7 changes of closings', () => {
  let [february, march, now]: (BuiltState | undefined)[] = [];
  beforeAll(async () => {
    [february, march, now] = [await buildState(FEBRUARY), await buildState(MARCH), await buildState(NOW)];
    return () => Promise.all([february, march, now].map((state) => state?.close()));
  });

  const states = () => [
    { ...closed('02', '28', '2026-03-03'), kept: february },
    { ...closed('03', '31', '2026-04-03'), kept: march },
  ];
  const read = (sent: Record<string, string>) =>
    compareDays(states(), now, 'changes', { ...YEAR, measures: 'actual_hours', ...sent }, { cutoffNow: '2026-04-20' });

  it('lists the adjustments of prior periods, each compared with its own closing', { tags: ['slow'] }, async () => {
    const { rows, totals, table } = await read({ group_by: 'month,project' });
    const [one, two] = [
      { project_id: 501, project: 'Project 501' },
      { project_id: 502, project: 'Project 502' },
    ];
    expect(rows.map(told)).toEqual([
      { ...one, month: '2026-02-01', value_then: '14', value_now: '7', difference: '-7', moved: '-6', hours: '-1' },
      { ...two, month: '2026-02-01', value_now: '2', difference: '2', late: '2' },
      { ...one, month: '2026-03-01', value_then: '8', value_now: '14', difference: '6', moved: '6' },
      { ...two, month: '2026-03-01', value_then: '5', difference: '-5', removed: '-5' },
    ]);
    expect(totals.map(told)).toEqual([
      { value_then: '27', value_now: '23', difference: '-4', late: '2', removed: '-5', hours: '-1' },
    ]);
    expect(table.meta.notes).toEqual([
      'Days without a closing are left out: 2026-01-01 to 2026-01-31, 2026-04-01 to 2026-12-31.',
    ]);
    expect(table.meta.from).toMatchObject({
      state: 'closings',
      closings: [
        { number: 1, start_date: '2026-02-01', end_date: '2026-02-28', cutoff_date: '2026-02-28' },
        { number: 2, start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' },
      ],
    });
  });

  it('adds the rows of several closings up', { tags: ['slow'] }, async () => {
    const { rows } = await read({ group_by: 'project' });
    expect(rows.map(told)).toEqual([
      { project_id: 501, project: 'Project 501', value_then: '22', value_now: '21', difference: '-1', hours: '-1' },
      {
        project_id: 502,
        project: 'Project 502',
        value_then: '5',
        value_now: '2',
        difference: '-3',
        late: '2',
        removed: '-5',
      },
    ]);
    const whole = await read({});
    expect(whole.rows.map(told)).toEqual(whole.totals.map(told));
  });

  it('takes the part of a closing that is in the window, as that closing alone does', async () => {
    const days = { start_date: '2026-02-08', end_date: '2026-02-25', group_by: 'project', measures: 'actual_hours' };
    const { rows } = await read(days);
    const alone = await compareStates(february, now, 'changes', days, {
      day: '2026-03-03',
      cutoffDate: '2026-02-28',
      cutoffNow: '2026-04-20',
    });
    expect(rows).toEqual(alone.rows);
  });

  it('has no measures but sums of lines', { tags: ['slow'] }, async () => {
    const all = await compareDays(states(), now, 'changes', YEAR);
    expect(all.rows.map(({ measure }) => measure)).toContain('actual_cost');
    expect(all.rows.map(({ measure }) => measure)).not.toContain('budget_used');
    await expect(read({ measures: 'actual_hours,actual_margin_percent' })).rejects.toThrow(
      "measures: actual_margin_percent is no sum of lines, so it doesn't add up over the days of several closings",
    );
  });

  const lines = (sent: Record<string, string>, of = states()) =>
    compareDays(of, now, 'changed-lines', { ...YEAR, measure: 'actual_hours', ...sent }, { cutoffNow: '2026-04-20' });

  const tell = ({ rows }: Pick<Compared, 'rows'>) =>
    rows.map((row) => ['line_id_now', 'closing_start_date', 'causes', 'contribution'].map((name) => row[name]));

  it('lists the lines of one measure and a dozen closings at a time', { tags: ['slow'] }, async () => {
    await expect(lines({ measure: 'actual_hours,actual_cost' })).rejects.toMatchObject({
      code: 'usage',
      message: 'measure: the lines of one measure are listed at a time, and actual_hours, actual_cost are 2',
    });
    await expect(lines({ group_by: 'project' })).rejects.toMatchObject({
      code: 'usage',
      message: 'group_by: says whose budgets are meant, and actual_hours is of no budgets',
    });
    const weeks = Array.from({ length: 13 }, (_, week) => moveDay('2026-01-05', 'week', week));
    const closings = weeks.map((startDate) => ({
      ...closed('01', '31', '2026-04-03'),
      days: { startDate, endDate: moveDay(startDate, 'day', 6) },
      kept: march,
    }));
    await expect(lines({}, closings)).rejects.toMatchObject({
      code: 'limit',
      message: 'The window has days of 13 closings; at most 12 are compared at once',
    });
    expect((await lines({ end_date: '2026-03-29' }, closings)).rows).not.toEqual([]);
  });

  it('lists the lines behind the differences of all closings, page by page', { tags: ['slow'] }, async () => {
    const all = await lines({});
    expect(tell(all)).toEqual([
      ['a:1', '2026-02-01', 'hours', '-1'],
      ['a:5', '2026-02-01', 'late', '2'],
      [null, '2026-03-01', 'removed', '-5'],
      // It has left February and come to March.
      ['a:2', '2026-02-01', 'moved', '-6'],
      ['a:2', '2026-03-01', 'moved', '6'],
    ]);
    expect(all.rows.map(({ closing }) => closing)).toEqual(['then@1', 'then@1', 'then@2', 'then@1', 'then@2']);
    const { totals, columns, meta } = all.table;
    expect([totals?.[columns.findIndex(({ name }) => name === 'contribution')], meta.row_count]).toEqual([
      '-4.0000',
      5,
    ]);
    expect(meta.from).toMatchObject({ state: 'closings', closings: [{ number: 1 }, { number: 2 }] });
    expect(meta.notes).toHaveLength(1);

    const read: Row[] = [];
    let cursor: string | undefined;
    do {
      const page: Compared = await lines({ limit: '1', ...(cursor !== undefined && { cursor }) });
      read.push(...page.rows);
      cursor = page.table.meta.next_cursor;
    } while (cursor !== undefined);
    expect(read).toEqual(all.rows);
    const moved = await lines({ cause: 'moved', fields: 'line_id_now,closing', sort: '-closing' });
    expect(moved.rows).toEqual([
      { line_id_now: 'a:2', closing: 'then@2' },
      { line_id_now: 'a:2', closing: 'then@1' },
    ]);
  });

  it('lists the lines of one closing with its name, and of one state without', async () => {
    const one = await lines({ start_date: '2026-02-01', end_date: '2026-02-28' });
    expect(tell(one).map(([, day]) => day)).toEqual(['2026-02-01', '2026-02-01', '2026-02-01']);
    const days = { day: '2026-03-03', cutoffDate: '2026-02-28' };
    const asked = { start_date: '2026-02-01', end_date: '2026-02-28', measure: 'actual_hours' };
    const { rows } = await compareStates(february, now, 'changed-lines', asked, days);
    expect(rows.map(({ closing, closing_start_date }) => [closing, closing_start_date])).toEqual(
      rows.map(() => [null, null]),
    );
  });

  it('continues between two spans of days of one closing', { tags: ['slow'] }, async () => {
    const { day, cutoffDate } = closed('03', '31', '2026-04-03');
    const spans = ['2026-02-01 2026-02-15', '2026-02-16 2026-03-31'].map((span) => {
      const [startDate = '', endDate = ''] = span.split(' ');
      return { day, cutoffDate, days: { startDate, endDate }, kept: march };
    });
    const all = await lines({ cause: 'moved' }, spans);
    expect(tell(all)).toEqual([
      ['a:2', '2026-02-01', 'moved', '-6'],
      ['a:2', '2026-02-16', 'moved', '6'],
    ]);
    const first = await lines({ cause: 'moved', limit: '1' }, spans);
    const cursor = first.table.meta.next_cursor ?? '';
    expect([...first.rows, ...(await lines({ cause: 'moved', limit: '1', cursor }, spans)).rows]).toEqual(all.rows);
    const oneState = compareStates(
      march,
      now,
      'changed-lines',
      { ...YEAR, measure: 'actual_hours', limit: '1', cursor },
      closed('03', '31', '2026-04-03'),
    );
    await expect(oneState).rejects.toThrow('is not a cursor of this report');
  });

  it('refuses budgets, which are of the whole life', async () => {
    await expect(lines({ measure: 'budget_used' })).rejects.toThrow(
      "measure: budget_used is no sum of lines, so it doesn't add up over the days of several closings",
    );
  });

  it('says that no day is closed', async () => {
    const none = { start_date: '2026-05-01', end_date: '2026-05-31', measures: 'actual_hours' };
    await expect(read(none)).rejects.toThrow('No day from 2026-05-01 to 2026-05-31 is closed');
  });
});
