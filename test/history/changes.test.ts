import { beforeAll, describe, expect, it } from 'vitest';
import { type BuiltState, buildState, compareStates, told } from './compared-company.ts';

const people = (second: number, third?: number) => [
  { people_id: 101, name: 'Ana', cost_rate: 60 },
  { people_id: 102, name: 'Ben', cost_rate: second },
  { people_id: 103, name: 'Eva', ...(third && { cost_rate: third }) },
  { people_id: 104, name: 'Kim', cost_rate: 60 },
  { people_id: 105, name: 'Lee', cost_rate: 50 },
];

const projects = ['Harbor', 'Quay', 'Pier', 'Lock'].map((name, index) => ({ project_id: 501 + index, name }));

const logged = (id: string, people_id: number, hours: number, project_id = 501, date = '2026-03-05') => ({
  logged_time_id: id,
  project_id,
  people_id,
  date,
  hours,
});

/** Logs the same hours on some days from the first of a month on. */
const daily = (month: string, days: number, hours: number) =>
  Array.from({ length: days }, (_, day) => {
    const date = `${month}-${String(day + 1).padStart(2, '0')}`;
    return logged(date, 101, hours, 504, date);
  });

const planned = (task_id: number, people_id: number, project_id: number, days: string, hours = 8) => {
  const [start_date, end_date] = days.split(' ');
  return { task_id, project_id, people_id, hours, start_date, end_date };
};

const [february, march, later] = [
  daily('2026-02', 15, 8),
  planned(2, 101, 504, '2026-03-02 2026-03-27'),
  planned(3, 101, 504, '2026-04-01 2026-05-05'),
];

const THEN = {
  people: people(45.1),
  projects,
  tasks: [planned(1, 104, 503, '2026-05-04 2026-05-06'), march, later],
  logged_time: [
    ...february,
    logged('1', 101, 8),
    logged('2', 101, 8),
    logged('3', 103, 6),
    logged('4', 102, 7.5),
    logged('5', 101, 4),
    logged('6', 102, 5),
  ],
};

const NOW = {
  people: people(47.35, 50),
  projects,
  tasks: [
    planned(1, 105, 503, '2026-05-05 2026-05-07'),
    march,
    later,
    planned(4, 101, 504, '2026-05-11 2026-05-15', 4),
  ],
  logged_time: [
    ...february,
    ...daily('2026-03', 15, 10),
    logged('late', 101, 6, 504, '2026-02-27'),
    logged('1', 101, 8),
    logged('2', 101, 6.5),
    logged('3', 103, 6),
    logged('4', 102, 7.5),
    logged('6', 102, 5, 502),
    logged('7', 101, 8, 501, '2026-03-30'),
  ],
};

describe('8.4 changes', () => {
  let [then, now]: (BuiltState | undefined)[] = [];
  beforeAll(async () => {
    [then, now] = [await buildState(THEN), await buildState(NOW)];
    return () => Promise.all([then?.close(), now?.close()]);
  });

  it('W1: pairs the days of an allocation that moved to other days and another person', async () => {
    const sent = { start_date: '2026-05-01', end_date: '2026-05-31', measures: 'scheduled_cost', project_id: '503' };
    const answer = await compareStates(then, now, 'changes', { ...sent, group_by: 'person' }, { day: '2026-04-03' });
    expect(answer.rows.map(told)).toEqual([
      { people_id: 104, person: 'Kim', value_then: '1440', difference: '-1440', moved: '-1440' },
      { people_id: 105, person: 'Lee', value_now: '1200', difference: '1200', moved: '1440', rate: '-240' },
    ]);
    expect(answer.totals.map(told)).toEqual([
      { value_then: '1440', value_now: '1200', difference: '-240', rate: '-240' },
    ]);
  });

  it('W2: tells late lines, new ones, and what the later cutoff does', async () => {
    const sent = { start_date: '2026-01-01', end_date: '2026-12-31', measures: 'forecast_hours', project_id: '504' };
    const days = { day: '2026-03-03', cutoffDate: '2026-02-28', cutoffNow: '2026-03-31' };
    const { rows } = await compareStates(then, now, 'changes', sent, days);
    expect(rows.map(told)).toEqual([
      { value_then: '480', value_now: '496', difference: '16', late: '6', new: '20', cutoff: '-10' },
    ]);
  });

  it('W3: takes the cost of a closed month apart', async () => {
    const sent = { start_date: '2026-03-01', end_date: '2026-03-31', measures: 'actual_cost', project_id: '501,502' };
    const days = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };
    const { rows, totals, table } = await compareStates(then, now, 'changes', { ...sent, group_by: 'project' }, days);
    const causes = { late: '480', removed: '-240', hours: '-90', priced: '300' };
    expect(rows.map(told)).toEqual([
      {
        ...causes,
        project_id: 501,
        project: 'Harbor',
        value_then: '1763.75',
        value_now: '2005.13',
        difference: '241.38',
        moved: '-225.5',
        rate: '16.88',
      },
      { project_id: 502, project: 'Quay', value_now: '236.75', difference: '236.75', moved: '225.5', rate: '11.25' },
    ]);
    expect(totals.map(told)).toEqual([
      { ...causes, value_then: '1763.75', value_now: '2241.88', difference: '478.13', rate: '28.13' },
    ]);
    expect(table.meta.checks[0]).toEqual({
      check: 'actual_cost: causes, difference',
      words: { subject: 'actual_cost', sides: ['causes', 'difference'] },
      left: '478.1300',
      right: '478.1300',
      ok: true,
    });
  });

  it('X8: lists the lines behind a difference, page by page', async () => {
    const sent = { start_date: '2026-03-01', end_date: '2026-03-31', measure: 'actual_cost', project_id: '501,502' };
    const days = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };
    const read = (more: Record<string, string>) =>
      compareStates(then, now, 'changed-lines', { ...sent, ...more }, days);
    const { rows, table } = await read({});
    const shown = ['line_id_then', 'line_id_now', 'causes', 'contribution'];
    expect(rows.map((row) => shown.map((name) => row[name]))).toEqual([
      ['a:2', 'a:2', 'hours', '-90'],
      ['a:3', 'a:3', 'priced', '300'],
      ['a:4', 'a:4', 'rate', '16.88'],
      ['a:5', null, 'removed', '-240'],
      ['a:6', 'a:6', 'rate', '11.25'],
      [null, 'a:7', 'late', '480'],
    ]);
    expect(table.totals?.at(-3)).toBe('478.1300');
    expect(rows.find(({ line_id_now }) => line_id_now === 'a:4')).toMatchObject({
      kind: 'actual',
      date_then: '2026-03-05',
      date_now: '2026-03-05',
      person_then: 'Ben',
      project_now: 'Harbor',
      hours_then: '7.5',
      cost_rate_then: '45.1',
      cost_rate_now: '47.35',
      amount_then: '338.25',
      amount_now: '355.13',
      changed_at: null,
    });
    const moved = await read({ project_id: '501', cause: 'moved' });
    expect(moved.rows.map(({ line_id_now, contribution }) => [line_id_now, contribution])).toEqual([['a:6', '-225.5']]);
    const first = await read({ limit: '4' });
    const rest = await read({ limit: '4', cursor: first.table.meta.next_cursor ?? '' });
    expect([...first.rows, ...rest.rows]).toEqual(rows);
  });

  it('X8: lists what the later cutoff does', async () => {
    const sent = { start_date: '2026-01-01', end_date: '2026-12-31', measure: 'forecast_hours', project_id: '504' };
    const days = { day: '2026-03-03', cutoffDate: '2026-02-28', cutoffNow: '2026-03-31' };
    const sumOf = async (cause: string) =>
      (await compareStates(then, now, 'changed-lines', { ...sent, cause }, days)).table.totals?.at(-3);
    expect([await sumOf('cutoff'), await sumOf('late'), await sumOf('new')]).toEqual(['-10.0000', '6.0000', '20.0000']);
  });
});
