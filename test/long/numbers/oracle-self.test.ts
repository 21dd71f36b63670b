import { describe, expect, it } from 'vitest';
import { sameWeekdayAfterMonths } from '../../oracle/calendar.ts';
import { compareLedgers, compareReports, LEDGER_COLUMNS } from '../../oracle/compare.ts';
import { coverageOf, queryCoverageOf } from '../../oracle/coverage.ts';
import type { Dataset, RawRecord } from '../../oracle/dataset.ts';
import { Exact } from '../../oracle/exact.ts';
import { buildLedger, type Line, modelOf } from '../../oracle/ledger.ts';
import { FILTERS, FLAGS, type Parameters } from '../../oracle/parameters.ts';
import { PIVOT_COLUMNS } from '../../oracle/pivot.ts';
import { randomDataset, randomQuery } from '../../oracle/random.ts';
import { type Row, runReport } from '../../oracle/reports.ts';

// 2024-03-04 is a Monday. The account works 8 hours from Monday to Friday.

const PROJECT: RawRecord = { project_id: 1, name: 'Bridge' };
const PERSON: RawRecord = { people_id: 1, name: 'Ann' };
const WEEK: RawRecord = {
  task_id: 1,
  project_id: 1,
  people_id: 1,
  start_date: '2024-03-04',
  end_date: '2024-03-08',
  hours: 8,
};
const LOGGED: RawRecord = { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2024-03-05', hours: 2 };
const MARCH: Parameters = { start_date: '2024-03-01', end_date: '2024-03-31', cutoff_date: '2024-03-31' };

function company(more: Dataset = {}): Dataset {
  return { projects: [PROJECT], people: [PERSON], ...more };
}

function datesOf(dataset: Dataset): string[] {
  return buildLedger(dataset).map((line) => line.date);
}

function allocationDates(change: RawRecord, more: Dataset = {}): string[] {
  return datesOf(company({ tasks: [{ ...WEEK, ...change }], ...more }));
}

function onlyLine(dataset: Dataset): Line {
  const [line, ...others] = buildLedger(dataset);
  if (line === undefined || others.length > 0) throw new Error(`${others.length} lines too many`);
  return line;
}

function loggedLine(change: RawRecord, more: Dataset = {}): Line {
  return onlyLine(company({ logged_time: [{ ...LOGGED, ...change }], ...more }));
}

/** Converts decimals to texts, so that a case reads like its sum on paper. */
function texts(row: object, ...columns: string[]): unknown[] {
  const values = new Map<string, unknown>(Object.entries(row));
  return columns.map((column) => {
    const value = values.get(column);
    return Exact.isDecimal(value) ? value.toFixed() : value;
  });
}

function onlyRow(dataset: Dataset, name: string, parameters: Parameters = MARCH): Row {
  const [row, ...others] = runReport(dataset, name, parameters).rows;
  if (row === undefined || others.length > 0) throw new Error(`${others.length} rows too many`);
  return row;
}

describe('input', () => {
  it('reads decimals exactly: 15 digits of a number, all of a text, 6 decimals half away from zero', () => {
    const hours = (value: number | string) => texts(loggedLine({ hours: value }), 'hours')[0];
    expect(hours(1.0000005)).toBe('1.000001');
    expect(hours('1.0000005')).toBe('1.000001');
    expect(hours('1.0000004999999998')).toBe('1');
    expect(hours(1.0000004999999998)).toBe('1.000001');
    expect(hours(0.1 + 0.2)).toBe('0.3');
  });

  it('sets aside invalid records, and keeps the last record of an id', () => {
    const dataset = company({
      logged_time: [
        { ...LOGGED, hours: 3 },
        { ...LOGGED, hours: '4' },
        { ...LOGGED, logged_time_id: 'b', hours: 25 },
        { ...LOGGED, logged_time_id: 'c', date: '2024-02-30' },
      ],
    });
    expect(texts(onlyLine(dataset), 'hours')).toEqual(['4']);
    expect(modelOf(dataset).clean.setAside).toHaveLength(2);
    expect(modelOf(dataset).clean.duplicates).toBe(1);
  });

  it('drops a bad contract and keeps its person', () => {
    const person = { ...PERSON, contracts: [{ cost_rate: -1 }, { cost_rate: 50 }] };
    expect(texts(loggedLine({}, { people: [person] }), 'cost_rate')).toEqual(['50']);
  });
});

describe('days', () => {
  it('D1 takes the latest history entry, else the person, else the account, within employment', () => {
    const six = [0, 6, 6, 6, 6, 6, 0];
    const four = [0, 4, 4, 4, 4, 4, 0];
    const person = {
      ...PERSON,
      start_date: '2024-02-27',
      end_date: '2024-03-08',
      work_days_hours: [0, 7, 7, 7, 7, 7, 0],
      work_days_hours_history: { '2024-03-06': four, '2024-03-01': six },
    };
    const { days } = modelOf(company({ people: [person] }));
    const work = (date: string, peopleId = 1) => days.work(peopleId, date).toFixed();
    expect(work('2024-02-26')).toBe('0');
    expect(work('2024-02-27')).toBe('7');
    expect(work('2024-03-04')).toBe('6');
    expect(work('2024-03-06')).toBe('4');
    expect(work('2024-03-08')).toBe('4');
    expect(work('2024-03-09')).toBe('0');
    expect(work('2024-03-11')).toBe('0');
    expect(work('2024-03-11', 7)).toBe('8');
    const settings = { work_days_hours: [1, 2, 3, 4, 5, 6, 7] };
    expect(modelOf(company({ settings })).days.work(1, '2024-03-03').toFixed()).toBe('1');
  });

  it('D2 steps by weeks up to the repeat end, and cuts the last occurrence there', () => {
    const two = { end_date: '2024-03-05', repeat_end_date: '2024-03-18' };
    expect(allocationDates({ ...two, repeat_state: 1 })).toEqual([
      '2024-03-04',
      '2024-03-05',
      '2024-03-11',
      '2024-03-12',
      '2024-03-18',
    ]);
    expect(allocationDates({ ...two, repeat_state: 3 })).toEqual(['2024-03-04', '2024-03-05', '2024-03-18']);
    const one = { end_date: '2024-03-04', repeat_end_date: '2024-04-15' };
    expect(allocationDates({ ...one, repeat_state: 4 })).toEqual(['2024-03-04', '2024-03-25', '2024-04-15']);
    expect(allocationDates({ ...one, repeat_state: 5 })).toEqual(['2024-03-04', '2024-04-15']);
  });

  it('D2 counts the first occurrence whole', () => {
    expect(allocationDates({ repeat_state: 1, repeat_end_date: '2024-03-05' })).toHaveLength(5);
  });

  it('D2 steps by months on the n-th weekday, the last where there is no fifth', () => {
    const fifthWednesday = { start_date: '2024-01-31', end_date: '2024-01-31', repeat_end_date: '2024-05-31' };
    expect(allocationDates({ ...fifthWednesday, repeat_state: 2 })).toEqual([
      '2024-01-31',
      '2024-02-28',
      '2024-03-27',
      '2024-04-24',
      '2024-05-29',
    ]);
    expect(allocationDates({ ...fifthWednesday, repeat_state: 6 })).toEqual(['2024-01-31', '2024-03-27', '2024-05-29']);
    expect(allocationDates({ ...fifthWednesday, repeat_state: 7 })).toEqual(['2024-01-31', '2024-04-24']);
    const secondMonday = { start_date: '2024-01-08', end_date: '2024-01-08', repeat_end_date: '2025-01-31' };
    expect(allocationDates({ ...secondMonday, repeat_state: 8 })).toEqual(['2024-01-08', '2024-07-08', '2025-01-13']);
    expect(allocationDates({ ...secondMonday, repeat_state: 9 })).toEqual(['2024-01-08', '2025-01-13']);
    expect(sameWeekdayAfterMonths('2024-02-29', 12)).toBe('2025-02-27');
  });

  it('D2 repeats to the end of the project, of the person for time off, else for 2 years', () => {
    const endless = { end_date: '2024-03-04', repeat_state: 1 };
    const ending = { projects: [{ ...PROJECT, end_date: '2024-03-12' }] };
    expect(allocationDates(endless, ending)).toEqual(['2024-03-04', '2024-03-11']);
    const halfYearly = { start_date: '2024-01-01', end_date: '2024-01-01', repeat_state: 8 };
    expect(allocationDates(halfYearly)).toEqual(['2024-01-01', '2024-07-01', '2025-01-06', '2025-07-07']);
    const leaving = [{ ...PERSON, end_date: '2024-03-12' }];
    const timeoffs = [
      { timeoff_id: 1, people_id: 1, start_date: '2024-03-05', end_date: '2024-03-05', repeat_state: 1 },
    ];
    const { clean, days } = modelOf(company({ people: leaving, timeoffs }));
    const [timeOff] = clean.timeOffs.values();
    expect(timeOff && [...days.timeOffDays(timeOff, 1)]).toEqual(['2024-03-05', '2024-03-12']);
    expect(timeOff && days.timeOffDays(timeOff, 2).size).toBe(105);
  });

  it('D3 counts a day once when two occurrences share it', () => {
    const tenDays = { end_date: '2024-03-13', repeat_state: 1, repeat_end_date: '2024-03-13' };
    const expected = ['04', '05', '06', '07', '08', '11', '12', '13'].map((day) => `2024-03-${day}`);
    expect(allocationDates(tenDays)).toEqual(expected);
  });

  it('D3 merges occurrences that share days, and D6 judges the merged one as a whole', () => {
    const leaves = [{ people_id: 1, work_days_hours_history: { '2024-03-11': [0, 0, 0, 0, 0, 0, 0] } }];
    const days = ['04', '05', '06', '07', '08'].map((day) => `2024-03-${day}`);
    const more = { people: leaves };
    // With eight days each, the second begins on the last day of the first; with seven, the day after.
    expect(allocationDates({ end_date: '2024-03-11', repeat_state: 1, repeat_end_date: '2024-03-17' }, more)).toEqual(
      days,
    );
    expect(allocationDates({ end_date: '2024-03-10', repeat_state: 1, repeat_end_date: '2024-03-17' }, more)).toEqual([
      ...days,
      ...['11', '12', '13', '14', '15', '16', '17'].map((day) => `2024-03-${day}`),
    ]);
  });

  const off = (change: RawRecord): RawRecord => ({
    timeoff_id: 1,
    people_ids: [1],
    start_date: '2024-03-06',
    end_date: '2024-03-06',
    ...change,
  });

  it('D4 takes a holiday as full-day time off for everybody, or for the people of its region', () => {
    const people = [{ people_id: 1, region_id: 7 }, { people_id: 2, region_id: 8 }, { people_id: 3 }];
    const isOff = (holiday: RawRecord) => {
      const { days } = modelOf(company({ people, holidays: [{ holiday_id: 1, ...holiday }] }));
      return [1, 2, 3, 99].map((id) => days.isDayOff(id, '2024-03-06'));
    };
    expect(isOff({ date: '2024-03-06' })).toEqual([true, true, true, true]);
    expect(isOff({ date: '2024-03-06', region_id: 7 })).toEqual([true, false, false, false]);
    expect(isOff({ date: '2024-03-05', end_date: '2024-03-07', region: { id: 8 } })).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(isOff({ dates: ['2024-03-01', '2024-03-06'] })).toEqual([true, true, true, true]);
    expect(isOff({ date: '2024-03-05' })).toEqual([false, false, false, false]);
  });

  it('D4 adds up time off, limited to W, and detects days off', () => {
    const timeOffOf = (...timeoffs: RawRecord[]) => {
      const { days } = modelOf(company({ timeoffs }));
      return [days.timeOff(1, '2024-03-06').toFixed(), days.isDayOff(1, '2024-03-06')];
    };
    expect(timeOffOf(off({ hours: 3 }))).toEqual(['3', false]);
    expect(timeOffOf(off({ hours: 5 }), off({ timeoff_id: 2, hours: 5 }))).toEqual(['8', true]);
    expect(timeOffOf(off({}))).toEqual(['8', true]);
    expect(timeOffOf(off({ hours: 3, full_day: 1 }))).toEqual(['8', true]);
    expect(timeOffOf(off({ full_day: 0 }))).toEqual(['0', false]);
    expect(timeOffOf(off({ status: 1 }))).toEqual(['0', false]);
    expect(timeOffOf(off({ status: 3 }))).toEqual(['0', false]);
    const weekend = { start_date: '2024-03-09', end_date: '2024-03-09' };
    const { days } = modelOf(company({ timeoffs: [off(weekend)] }));
    expect(days.isDayOff(1, '2024-03-09')).toBe(false);
  });

  it('D5 leaves the rest as capacity', () => {
    const { days } = modelOf(company({ timeoffs: [off({ hours: '2.5' })] }));
    expect(days.capacity(1, '2024-03-06').toFixed()).toBe('5.5');
  });

  it('D6 plans work days, and other days only where an occurrence has no work day', () => {
    expect(allocationDates({ start_date: '2024-03-08', end_date: '2024-03-11' })).toEqual(['2024-03-08', '2024-03-11']);
    const weekend = { start_date: '2024-03-09', end_date: '2024-03-10' };
    expect(allocationDates(weekend)).toEqual(['2024-03-09', '2024-03-10']);
    expect(allocationDates({}, { timeoffs: [off({})] })).toHaveLength(4);
    expect(allocationDates({}, { timeoffs: [off({ hours: 3 })] })).toHaveLength(5);
    const oneDay = { start_date: '2024-03-06', end_date: '2024-03-06' };
    expect(allocationDates(oneDay, { timeoffs: [off({})] })).toEqual([]);
    expect(allocationDates({ hours: 0 })).toEqual([]);
    const hired = { people: [{ ...PERSON, start_date: '2024-03-07' }] };
    expect(allocationDates({}, hired)).toEqual(['2024-03-07', '2024-03-08']);
    const hiredOnSaturday = { people: [{ ...PERSON, start_date: '2024-03-09' }] };
    expect(allocationDates({ end_date: '2024-03-10' }, hiredOnSaturday)).toEqual(['2024-03-09', '2024-03-10']);
    expect(allocationDates({ people_ids: [1, '2', 1], people_id: 3 })).toHaveLength(10);
    const line = buildLedger(company({ tasks: [WEEK] }))[0];
    expect(line?.line_id).toBe('s:1:1:2024-03-04');
  });

  it('D7 counts logged hours on any day', () => {
    expect(loggedLine({ date: '2024-03-10' }).line_id).toBe('a:a');
    expect(buildLedger(company({ logged_time: [{ ...LOGGED, hours: '0' }] }))).toEqual([]);
    expect(buildLedger(company({ logged_time: [{ ...LOGGED, hours: '0.0000004' }] }))).toEqual([]);
  });

  it('D8 finds the project of a record without one', () => {
    const place = (change: RawRecord) => {
      const tasks = [{ ...WEEK, project_id: 5, phase_id: 6, hours: 0 }];
      const project_tasks = [{ task_meta_id: 9, project_id: 7, phase_id: 8 }];
      return texts(loggedLine({ project_id: null, ...change }, { tasks, project_tasks }), 'project_id', 'phase_id');
    };
    expect(place({ task_id: 1, task_meta_id: 9 })).toEqual([5, 6]);
    expect(place({ project_id: 0, task_id: 1, phase_id: 3 })).toEqual([5, 3]);
    expect(place({ task_id: 99, task_meta_id: 9 })).toEqual([7, 8]);
    expect(place({ task_meta_id: '9', phase_id: 0 })).toEqual([7, 8]);
    expect(place({})).toEqual([0, 0]);
    expect(place({ project_id: 1, task_id: 1, task_meta_id: 9 })).toEqual([1, 0]);
  });
});

describe('status and billable', () => {
  it('S1 takes the least firm; completed if confirmed and any is completed; canceled overrides all', () => {
    const status = (project: number | null, phase: number | null, allocation: number | null, tentative = 0) => {
      const projects = [{ ...PROJECT, status: project, tentative }];
      const phases = phase === null ? [] : [{ phase_id: 2, project_id: 1, status: phase }];
      const tasks = [{ ...WEEK, end_date: '2024-03-04', phase_id: phase === null ? 0 : 2, status: allocation }];
      return onlyLine(company({ projects, phases, tasks })).status;
    };
    expect(status(null, null, null)).toBe('confirmed');
    expect(status(null, null, null, 1)).toBe('tentative');
    expect(status(2, null, null, 1)).toBe('confirmed');
    expect(status(2, 3, 2)).toBe('completed');
    expect(status(3, null, 2)).toBe('completed');
    expect(status(3, 1, 2)).toBe('tentative');
    expect(status(1, 0, 3)).toBe('draft');
    expect(status(2, 2, 4)).toBe('canceled');
    expect(status(4, 0, 2)).toBe('canceled');
    expect(status(2, 4, 2)).toBe('canceled');
  });

  it('S1 leaves actual and expense lines confirmed', () => {
    const expenses = [{ project_expense_id: 1, date: '2024-03-05', cost: 5 }];
    const canceled = { projects: [{ ...PROJECT, status: 4, expenses }] };
    const lines = buildLedger(company({ ...canceled, logged_time: [LOGGED] }));
    expect(lines.map((line) => [line.kind, line.status])).toEqual([
      ['actual', 'confirmed'],
      ['expense', 'confirmed'],
    ]);
  });

  const tasksOf = (billable: number | null): Dataset => ({
    project_tasks: [{ task_meta_id: 9, project_id: 1, billable }],
  });

  it('S2 scheduled: project and phase, then the project task, else the allocation', () => {
    const billable = (change: RawRecord, more: Dataset = {}) => {
      return onlyLine(company({ tasks: [{ ...WEEK, end_date: '2024-03-04', ...change }], ...more })).billable;
    };
    expect(billable({})).toBe(true);
    expect(billable({ billable: 0 })).toBe(false);
    expect(billable({ billable: 1 }, { projects: [{ ...PROJECT, non_billable: '1' }] })).toBe(false);
    const phases = [{ phase_id: 2, project_id: 1, non_billable: true }];
    expect(billable({ billable: 1, phase_id: 2 }, { phases })).toBe(false);
    expect(billable({ billable: 1, task_meta_id: 9 }, tasksOf(0))).toBe(false);
    expect(billable({ billable: 0, task_meta_id: 9 }, tasksOf(1))).toBe(true);
    expect(billable({ billable: 0, task_meta_id: 9 }, tasksOf(null))).toBe(true);
    expect(billable({ billable: 0, task_meta_id: 10 }, tasksOf(1))).toBe(false);
  });

  it('S2 actual: the record, else its project task; expense: only the record', () => {
    expect(loggedLine({}).billable).toBe(true);
    expect(loggedLine({ billable: false }).billable).toBe(false);
    expect(loggedLine({ task_meta_id: 9 }, tasksOf(0)).billable).toBe(false);
    expect(loggedLine({ task_meta_id: 9, billable: 1 }, tasksOf(0)).billable).toBe(true);
    const expense = (billable: number | null, non_billable: number) => {
      const project_expenses = [{ id: 1, project_id: 1, date: '2024-03-05', cost: 5, billable }];
      return onlyLine({ projects: [{ ...PROJECT, non_billable }], project_expenses }).billable;
    };
    expect([expense(1, 0), expense(0, 0), expense(null, 0), expense(1, 1)]).toEqual([true, false, false, false]);
  });
});

describe('rates', () => {
  const costOf = (person: RawRecord, more: Dataset = {}) => {
    const line = loggedLine({}, { people: [{ ...PERSON, ...person }], ...more });
    return texts(line, 'cost_rate', 'cost_rate_source', 'role_id');
  };

  it('R1 takes the latest contract, and of two on one date the later in the list', () => {
    const contracts = [
      { effective_date: '2024-03-01', cost_rate: 30 },
      { effective_date: '2024-03-01', cost_rate: 40, cost_rate_from: 'contract' },
      { cost_rate: 20 },
      { effective_date: '2024-03-06', cost_rate: 90 },
    ];
    expect(costOf({ contracts })).toEqual(['40', 'contract', null]);
    expect(costOf({ contracts, start_date: '2024-03-02' })).toEqual(['20', 'person', null]);
    expect(costOf({ contracts: contracts.slice(3), cost_rate: 10 })).toEqual([null, 'none', null]);
  });

  it('R1 treats a lone cost rate as a contract', () => {
    expect(costOf({ cost_rate: 25, role_id: 3 })).toEqual(['25', 'person', 3]);
    expect(costOf({ cost_rate: 25, effective_date: '2024-03-06' })).toEqual([null, 'none', null]);
  });

  it('R2 takes the role of the phase team, the project team, the contract, the person', () => {
    const role = (phaseRole: number | null, projectRole: number | null, contracts: RawRecord[]) => {
      const people = [{ ...PERSON, role_id: 14, contracts }];
      const phases = [{ phase_id: 2, project_id: 1, phase_team: [{ people_id: 1, role_id: phaseRole }] }];
      const projects = [{ ...PROJECT, project_team: [{ people_id: 1, role_id: projectRole }] }];
      return loggedLine({ phase_id: 2 }, { people, phases, projects }).role_id;
    };
    const contract = [{ role_id: 13 }];
    expect(role(11, 12, contract)).toBe(11);
    expect(role(null, 12, contract)).toBe(12);
    expect(role(null, null, contract)).toBe(13);
    expect(role(null, null, [])).toBe(14);
    expect(role(null, null, [{ cost_rate: 5 }])).toBe(null);
    expect(role(null, null, [{ role_id: 13, effective_date: '2024-03-06' }])).toBe(14);
  });

  it('R3 falls back on the cost history of the own role', () => {
    const history = [
      { rate: 60, effective_date: '2024-03-05' },
      { rate: 55, effective_date: '2024-03-01' },
      { rate: 50 },
      { rate: 99, effective_date: '2024-03-06' },
    ];
    const roles = (cost_rate_history: RawRecord[]): Dataset => ({ roles: [{ id: 3, cost_rate_history }] });
    expect(costOf({ role_id: 3 }, roles(history))).toEqual(['60', 'role', 3]);
    expect(costOf({ role_id: 3 }, roles(history.slice(2)))).toEqual(['50', 'role', 3]);
    expect(costOf({ role_id: 3 }, roles([...history, { rate: null, effective_date: '2024-03-05' }]))).toEqual([
      null,
      'none',
      3,
    ]);
    expect(costOf({ role_id: 4, contracts: [{ role_id: 3 }] }, roles(history))).toEqual(['60', 'role', 3]);
    expect(costOf({ role_id: 3, contracts: [{ cost_rate: null }] }, roles(history))).toEqual([null, 'none', null]);
    const team = [{ ...PROJECT, project_team: [{ people_id: 1, role_id: 3 }] }];
    expect(costOf({}, { ...roles(history), projects: team })).toEqual([null, 'none', 3]);
  });

  it('R4 takes the first bill rate that is not null', () => {
    const levels = ['phase_team', 'phase', 'project_team', 'project', 'person', 'role', 'none'];
    const bill = (from: number, rate: number | null = null) => {
      const of = (level: number) => (level < from ? null : level === from && rate !== null ? rate : 10 + level);
      const dataset: Dataset = {
        phases: [
          {
            phase_id: 2,
            project_id: 1,
            default_hourly_rate: of(1),
            phase_team: [
              { people_id: 1, hourly_rate: 77 },
              { people_id: 1, hourly_rate: of(0) },
            ],
          },
        ],
        projects: [
          {
            ...PROJECT,
            default_hourly_rate: of(3),
            project_team: [
              { people_id: 1, hourly_rate: of(2), phase_id: 0 },
              { people_id: 1, hourly_rate: 88, phase_id: 2 },
              { people_id: 1, hourly_rate: 89, phase_id: 3 },
            ],
          },
        ],
        people: [{ ...PERSON, role_id: 3, default_hourly_rate: of(4) }],
        roles: [{ role_id: 3, default_hourly_rate: of(5) }],
      };
      return texts(loggedLine({ phase_id: 2 }, dataset), 'bill_rate', 'bill_rate_source');
    };
    for (const [level, source] of levels.entries()) {
      expect(bill(level)).toEqual([source === 'none' ? null : String(10 + level), source]);
    }
    expect(bill(3, 0)).toEqual(['0', 'project']);
  });

  it('R4 assigns a project-team item with a phase to that phase', () => {
    const projects = [{ ...PROJECT, project_team: [{ people_id: 1, hourly_rate: 88, phase_id: '3', role_id: 5 }] }];
    const rate = (phase_id: number) => texts(loggedLine({ phase_id }, { projects }), 'bill_rate', 'role_id');
    expect(rate(3)).toEqual(['88', 5]);
    expect(rate(0)).toEqual([null, null]);
  });

  it('R5 leaves an amount without a rate null, and counts its hours', () => {
    const people = [PERSON, { people_id: 2, cost_rate: 10, default_hourly_rate: 20 }];
    const logged_time = [LOGGED, { ...LOGGED, logged_time_id: 'b', billable: 0, hours: 3 }];
    const unpriced = company({ people, logged_time: [LOGGED] });
    expect(texts(onlyLine(unpriced), 'cost', 'fee')).toEqual([null, null]);
    const columns = ['actual_cost', 'actual_fees', 'actual_hours_without_cost_rate', 'actual_hours_without_bill_rate'];
    expect(texts(onlyRow(unpriced, 'projects'), ...columns)).toEqual([null, null, '2', '2']);
    expect(texts(onlyRow(company({ people, logged_time }), 'projects'), ...columns)).toEqual([null, '0', '5', '2']);
    const priced = company({
      people,
      logged_time: [LOGGED, { ...LOGGED, logged_time_id: 'c', people_id: 2, hours: 1 }],
    });
    expect(texts(onlyRow(priced, 'projects'), ...columns)).toEqual(['10', '20', '2', '2']);
    // Sold at 20 an hour with unknown cost: a profit, but no margin of 100 % and no variance of -100 %.
    const sold = company({ people: [{ ...PERSON, default_hourly_rate: 20 }], logged_time: [LOGGED] });
    const margin = ['actual_fees', 'actual_cost', 'actual_profit', 'actual_margin_percent'];
    expect(texts(onlyRow(sold, 'projects'), ...margin)).toEqual(['40', null, '40', null]);
    const planned = [{ ...WEEK, people_id: 2, end_date: '2024-03-04' }];
    const variance = ['scheduled_to_date_cost', 'actual_cost', 'variance_cost', 'variance_cost_percent'];
    const mixed = onlyRow(company({ people, tasks: planned, logged_time: [LOGGED] }), 'projects');
    expect(texts(mixed, ...variance)).toEqual(['80', null, '-80', null]);
    const empty = onlyRow(company(), 'projects', { ...MARCH, include_empty: '1' });
    expect(texts(empty, ...columns, 'actual_margin_percent')).toEqual(['0', '0', '0', '0', null]);
  });
});

describe('amounts', () => {
  it('A1 rounds once per line, half away from zero, to the minor unit', () => {
    const cost = (currency: string, hours: string, cost_rate: string) => {
      return texts(loggedLine({ hours }, { settings: { currency }, people: [{ ...PERSON, cost_rate }] }), 'cost')[0];
    };
    expect(cost('USD', '0.3333', '33.3333')).toBe('11.11');
    expect(cost('JPY', '0.3333', '33.3333')).toBe('11');
    expect(cost('KWD', '1.5', '0.333')).toBe('0.5');
    expect(cost('KWD', '0.5', '0.333')).toBe('0.167');
    expect(cost('USD', '0.5', '0.01')).toBe('0.01');
    expect(cost('EUR', '0.5', '0.0099')).toBe('0');
    expect(cost('JPY', '1.5', '1')).toBe('2');
  });

  it('A2 prices hours; a line that is not billable has a fee of 0 and still shows its rate', () => {
    const people = [{ ...PERSON, cost_rate: '40', default_hourly_rate: '100.5' }];
    expect(texts(loggedLine({}, { people }), 'cost', 'fee', 'bill_rate')).toEqual(['80', '201', '100.5']);
    expect(texts(loggedLine({ billable: 0 }, { people }), 'cost', 'fee', 'bill_rate')).toEqual(['80', '0', '100.5']);
  });

  it('A3 marks up expenses from their unrounded cost', () => {
    const amounts = (change: RawRecord) => {
      const expense = { id: 1, project_id: 1, date: '2024-03-05', cost: '33.335', billable: 1, ...change };
      return texts(onlyLine({ project_expenses: [expense] }), 'cost', 'fee', 'phase_id', 'hours');
    };
    expect(amounts({ markup: 10, markup_type: 0 })).toEqual(['33.34', '36.67', 0, null]);
    expect(amounts({ markup: 10 })).toEqual(['33.34', '36.67', 0, null]);
    expect(amounts({ markup: '7.5', markup_type: 1 })).toEqual(['33.34', '40.84', 0, null]);
    expect(amounts({ markup_type: 1 })).toEqual(['33.34', '33.34', 0, null]);
    expect(amounts({ markup: 10, billable: '' })).toEqual(['33.34', '0', 0, null]);
  });
});

describe('reports', () => {
  /** Returns 40 hours planned at 50 / 100 from Monday to Friday; 6 hours worked on Tuesday, 3 on Thursday. */
  const week = (): Dataset =>
    company({
      people: [{ ...PERSON, cost_rate: 50, default_hourly_rate: 100 }],
      tasks: [WEEK, { ...WEEK, task_id: 2, status: 1, end_date: '2024-03-04', hours: 2 }],
      logged_time: [
        { ...LOGGED, hours: 6 },
        { ...LOGGED, logged_time_id: 'b', hours: 3, date: '2024-03-07', billable: 0 },
      ],
      project_expenses: [
        { id: 1, project_id: 1, date: '2024-03-04', cost: 100, billable: 1, markup: 20 },
        { id: 2, project_id: 1, date: '2024-03-28', cost: 30 },
      ],
    });
  const upTo = (cutoff_date: string, more: Parameters = {}): Parameters => ({ ...MARCH, cutoff_date, ...more });

  it('compare equal spans, up to the cutoff', () => {
    const row = onlyRow(week(), 'projects', upTo('2024-03-05'));
    const hours = ['scheduled_hours', 'scheduled_to_date_hours', 'actual_hours', 'variance_hours', 'forecast_hours'];
    expect(texts(row, ...hours, 'variance_hours_percent', 'tentative_hours')).toEqual([
      '40',
      '16',
      '6',
      '-10',
      '30',
      '-62.5',
      '2',
    ]);
    const costs = ['scheduled_cost', 'scheduled_to_date_cost', 'actual_cost', 'variance_cost', 'forecast_cost'];
    expect(texts(row, ...costs)).toEqual(['2000', '800', '300', '-500', '1500']);
    const fees = ['scheduled_fees', 'scheduled_to_date_fees', 'actual_fees', 'variance_fees', 'forecast_fees'];
    expect(texts(row, ...fees)).toEqual(['4000', '1600', '600', '-1000', '3000']);
    // 4120 - 2000 - 130 = 1990; 720 - 300 - 100 = 320; 3120 - 1500 - 130 = 1490.
    expect(texts(row, 'expense_cost', 'expense_fees')).toEqual(['130', '120']);
    expect(texts(row, 'scheduled_revenue', 'actual_revenue', 'forecast_revenue')).toEqual(['4120', '720', '3120']);
    expect(texts(row, 'scheduled_profit', 'actual_profit', 'forecast_profit')).toEqual(['1990', '320', '1490']);
    const margins = ['scheduled_margin_percent', 'actual_margin_percent', 'forecast_margin_percent'];
    expect(texts(row, ...margins)).toEqual(['48.3', '44.44', '47.76']);
    const all = onlyRow(week(), 'projects', upTo('2024-03-31', { status: 'tentative,confirmed' }));
    expect(texts(all, 'scheduled_hours', 'actual_hours', 'actual_billable_hours')).toEqual(['42', '9', '6']);
  });

  it('have one row per period, clipped to the window', () => {
    const { rows } = runReport(week(), 'projects', upTo('2024-03-31', { interval: 'week', end_date: '2024-03-29' }));
    expect(rows.map((row) => texts(row, 'period_start', 'period_end', 'scheduled_hours', 'expense_cost'))).toEqual([
      ['2024-03-04', '2024-03-10', '40', '100'],
      ['2024-03-25', '2024-03-29', '0', '30'],
    ]);
    const fiscal: Dataset = { ...week(), settings: { fiscal_year_starts_in: 2, week_starts_on: 0 } };
    const quarter = onlyRow(fiscal, 'people', { ...MARCH, interval: 'quarter' });
    expect(texts(quarter, 'period_start', 'period_end')).toEqual(['2024-03-01', '2024-03-31']);
    const year = { ...MARCH, group_by: 'year,quarter,week', measures: 'scheduled_hours' };
    expect(runReport(fiscal, 'pivot', year).rows.map((row) => texts(row, 'year', 'quarter', 'week'))).toEqual([
      ['2024-02-01', '2024-02-01', '2024-03-03'],
      ['2024-02-01', '2024-02-01', '2024-03-24'],
    ]);
  });

  it('compute capacity, overtime and utilization of people', () => {
    const timeoffs = [{ timeoff_id: 1, people_id: 1, start_date: '2024-03-05', end_date: '2024-03-05', hours: 3 }];
    const parameters = { start_date: '2024-03-04', end_date: '2024-03-10', cutoff_date: '2024-03-10' };
    const weekend = { ...WEEK, task_id: 3, start_date: '2024-03-09', end_date: '2024-03-09', hours: 4 };
    const idle = { people_id: 2, name: 'Bo' };
    const gone = { people_id: 3, name: 'Cy', active: 0 };
    const dataset = {
      ...week(),
      people: [PERSON, idle, gone],
      tasks: [{ ...WEEK, end_date: '2024-03-05' }, weekend],
      timeoffs,
    };
    const columns = ['capacity_hours', 'time_off_hours', 'overtime_hours', 'unscheduled_hours', 'scheduled_percent'];
    const { rows, totals } = runReport(dataset, 'people', parameters);
    // Ann: C 8 + 5 + 8 + 8 + 8 = 37; over: 3 on Tuesday, 4 on Saturday; 20 / 37 = 54.05 %; 6 / 37 = 16.22 %.
    expect(rows.map((row) => texts(row, 'name', ...columns, 'utilization_percent'))).toEqual([
      ['Ann', '37', '3', '7', '24', '54.05', '16.22'],
      ['Bo', '40', '0', '0', '40', '0', '0'],
    ]);
    expect(texts(totals, ...columns)).toEqual(['77', '3', '7', '64', '25.97']);
    const departments = { ...parameters, group_by: 'people_type', measures: 'capacity_hours,actual_hours' };
    expect(
      runReport(dataset, 'pivot', departments).rows.map((row) => texts(row, 'people_type', 'capacity_hours')),
    ).toEqual([
      ['employee', '77'],
      [null, '0'],
    ]);
    const projects = { ...parameters, group_by: 'project', measures: 'capacity_hours' };
    expect(texts(onlyRow(dataset, 'pivot', projects), 'project', 'capacity_hours')).toEqual(['Bridge', '37']);
  });

  it('filter lines by any of several values, and by none for missing values', () => {
    const dataset = { ...week(), projects: [{ ...PROJECT, tags: ['A', { name: 'b' }], client_id: 4 }] };
    const hours = (more: Parameters) =>
      texts(runReport(dataset, 'projects', { ...MARCH, ...more }).totals, 'actual_hours')[0];
    expect(hours({ tag: 'a,c', client_id: '4' })).toBe('9');
    expect(hours({ tag: 'c' })).toBe('0');
    expect(hours({ phase_id: 'none', role_id: 'none' })).toBe('9');
    expect(hours({ billable: '0' })).toBe('3');
    expect(hours({ client_id: 'none' })).toBe('0');
    const tags = runReport(dataset, 'pivot', { ...MARCH, group_by: 'tag', measures: 'actual_hours' });
    expect(tags.rows.map((row) => texts(row, 'tag', 'actual_hours'))).toEqual([
      ['a', '9'],
      ['b', '9'],
    ]);
    expect(texts(tags.totals, 'actual_hours')).toEqual(['9']);
  });

  it('show a row for lines that are not canceled, and with include_empty for every record', () => {
    const projects = [PROJECT, { project_id: 2, name: 'Tower', status: 4 }, { project_id: 3, name: 'Dam' }];
    const dataset = { ...week(), projects, tasks: [{ ...WEEK, project_id: 2 }] };
    const ids = (more: Parameters) =>
      runReport(dataset, 'projects', { ...MARCH, ...more }).rows.map((row) => row.project_id);
    expect(ids({})).toEqual([1]);
    expect(ids({ include_empty: '1' })).toEqual([1, 2, 3]);
    expect(ids({ include_empty: '1', project_id: '1,3' })).toEqual([1, 3]);
    expect(ids({ cutoff_date: '2024-01-01' })).toEqual([1]);
  });

  const BUDGET = ['budget_total', 'budget_used', 'budget_remaining', 'budget_used_percent', 'budget_forecast'];

  it('compare the whole life of a project with its budget', () => {
    const budget = (change: RawRecord, cutoff: string, more: Parameters = {}) => {
      const dataset = { ...week(), projects: [{ ...PROJECT, budget_total: 200, ...change }] };
      const window = { start_date: '2024-03-07', end_date: '2024-03-07', cutoff_date: cutoff, ...more };
      return texts(onlyRow(dataset, 'projects', window), ...BUDGET, 'budget_forecast_percent');
    };
    const none = [null, null, null, null, null, null];
    expect(budget({ budget_type: 1 }, '2024-03-05')).toEqual(['200', '6', '194', '3', '30', '15']);
    expect(budget({ budget_type: 1 }, '2024-03-01', { status: 'tentative' })).toEqual([
      '200',
      '0',
      '200',
      '0',
      '2',
      '1',
    ]);
    // Fees of 600 and the expense of 120; then Wednesday to Friday at 800.
    expect(budget({ budget_type: 2 }, '2024-03-05')).toEqual(['200', '720', '-520', '360', '3120', '1560']);
    expect(budget({ budget_type: 3 }, '2024-03-03')).toEqual(['200', '0', '200', '0', '4120', '2060']);
    expect(budget({ budget_type: 1 }, '2024-03-31')).toEqual(['200', '6', '194', '3', '6', '3']);
    expect(budget({ budget_type: 0 }, '2024-03-05')).toEqual(none);
    expect(budget({ budget_type: 1, budget_total: null }, '2024-03-05')).toEqual(none);
    expect(budget({ budget_type: 1, budget_priority: 1 }, '2024-03-05')).toEqual(none);
  });

  it('total budgets only if they have one unit', () => {
    const total = (budget_type: number) => {
      const other = { project_id: 2, budget_type, budget_total: 50 };
      const dataset = { ...week(), projects: [{ ...PROJECT, budget_type: 1, budget_total: 200 }, other] };
      return texts(runReport(dataset, 'projects', { ...MARCH, include_empty: '1' }).totals, ...BUDGET);
    };
    expect(total(1)).toEqual(['250', '6', '244', '2.4', '6']);
    expect(total(2)).toEqual([null, null, null, null, null]);
  });

  it('sum the budgets of phases or project tasks according to budget_priority', () => {
    const dataset = (budget_priority: number): Dataset => ({
      projects: [{ ...PROJECT, budget_type: 1, budget_priority, budget_total: 7 }],
      phases: [
        { phase_id: 2, project_id: 1, budget_total: 10 },
        { phase_id: 3, project_id: 1, budget_total: 5 },
      ],
      project_tasks: [
        { task_meta_id: 8, project_id: 1, phase_id: 2, budget: 20 },
        { task_meta_id: 9, project_id: 1, budget: 30 },
      ],
      logged_time: [
        { ...LOGGED, phase_id: 2, task_meta_id: 8 },
        { ...LOGGED, logged_time_id: 'b', hours: 4 },
      ],
    });
    const budgets = (priority: number, name: string) => {
      const { rows, totals } = runReport(dataset(priority), name, MARCH);
      return [...rows, totals].map((row) => texts(row, 'budget_total', 'budget_used').join(' of '));
    };
    expect([0, 1, 2].map((priority) => budgets(priority, 'projects'))).toEqual([
      ['7 of 6', '7 of 6'],
      ['15 of 6', '15 of 6'],
      ['50 of 6', '50 of 6'],
    ]);
    expect([0, 1, 2].map((priority) => budgets(priority, 'phases'))).toEqual([
      [' of ', ' of ', ' of '],
      ['10 of 2', ' of ', '10 of 2'],
      ['20 of 2', '30 of 4', '50 of 6'],
    ]);
    expect([0, 1, 2].map((priority) => budgets(priority, 'tasks'))).toEqual([
      [' of ', ' of ', ' of '],
      [' of ', ' of ', ' of '],
      ['20 of 2', ' of ', '20 of 2'],
    ]);
  });
});

describe('the comparison', () => {
  it('finds nothing between the oracle and itself, and finds each changed value', () => {
    const dataset = randomDataset(11);
    const lines = buildLedger(dataset);
    const rows = lines.map((line) => ({ ...line }));
    expect(compareLedgers(lines, rows)).toEqual([]);
    const [first] = rows;
    expect(first).toBeDefined();
    const wrong = rows.map((row, index) => (index === 0 ? { ...row, hours: '1.23456' } : row));
    expect(compareLedgers(lines, wrong)).toHaveLength(1);
    expect(compareLedgers(lines, rows.slice(1))[0]).toContain('missing in the engine');
    expect(LEDGER_COLUMNS).toHaveLength(20);
    const parameters = { ...MARCH, start_date: '2024-01-01', include_empty: '1', expand: 'phases' };
    const report = runReport(dataset, 'projects', parameters);
    expect(compareReports('projects', parameters, report, runReport(dataset, 'projects', parameters))).toEqual([]);
    const totals = { ...report.totals, actual_hours: null };
    expect(compareReports('projects', parameters, report, { rows: report.rows, totals })).toHaveLength(1);
  });
});

describe('the generator', () => {
  const SEEDS = Array.from({ length: 300 }, (_, seed) => seed);

  it('makes the same dataset from the same seed', () => {
    expect(randomDataset(7)).toEqual(randomDataset(7));
    expect(randomQuery(7, randomDataset(7))).toEqual(randomQuery(7, randomDataset(7)));
    expect(randomDataset(7)).not.toEqual(randomDataset(8));
  });

  it('reaches every branch of the rules in 300 seeds', { timeout: 120_000 }, () => {
    const found = new Set<string>();
    for (const seed of SEEDS) for (const name of coverageOf(randomDataset(seed))) found.add(name);
    const each = (values: readonly unknown[], ...names: string[]) => {
      return names.flatMap((name) => values.map((value) => `${name} ${value}`));
    };
    const wanted = [
      ...each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'repeat_state', 'time off repeat_state'),
      ...each([2, 6, 7, 8, 9], 'fifth weekday, repeat_state'),
      ...each([0, 1, 2, 3, 4, 5, 6], 'week starts on'),
      ...each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'fiscal year starts in'),
      ...each(['USD', 'EUR', 'JPY', 'KWD'], 'currency'),
      ...each(['person', 'role', 'contract', 'none', null], 'cost_rate_source'),
      ...each(['phase_team', 'phase', 'project_team', 'project', 'person', 'role', 'none', null], 'bill_rate_source'),
      ...each(['draft', 'tentative', 'confirmed', 'completed', 'canceled'], 'scheduled status'),
      ...each(['scheduled', 'actual', 'expense'], 'kind'),
      ...each([true, false], 'scheduled billable', 'actual billable', 'expense billable'),
      ...each([true, false], 'scheduled cost null', 'scheduled fee null', 'actual cost null', 'actual fee null'),
      ...each([0, 1, 2, 3, 4], 'project status'),
      ...each(each([0, 1, 2], '0 priority', '1 priority', '2 priority', '3 priority'), 'budget type'),
      ...each([1, 2, 3, 4], 'people type'),
      ...each([1, 2, 3], 'time off status'),
      ...each(['true hours true', 'true hours false', 'false hours true', 'false hours false'], 'time off full_day'),
      ...each(['null hours true', 'null hours false'], 'time off full_day'),
      ...each(
        ['none', 'unknown', 'true', 'false', 'null'],
        ...each([true, false, null], 'S2 actual record').map((of) => `${of} task`),
      ),
      ...each(
        [true, false, null],
        ...each(['none', 'unknown', true, false, null], 'S2 scheduled task').map((of) => `${of} allocation`),
      ),
      ...each([true, false], 'D8 by allocation, own phase', 'D8 by task, own phase', 'D8 by nothing, own phase'),
      ...each(
        [true, false],
        ...each([0, 1], ...[true, false, null].map((billable) => `expense billable ${billable} markup type`)),
      ),
      ...each(['number', 'string'], 'decimal as', 'id as'),
      ...each([1, 0, true, false, '"1"', '"0"'], 'boolean as'),
      ...['tasks', 'logged_time', 'timeoffs', 'project_expenses', 'people', 'projects', 'phases', 'project_tasks'].map(
        (resource) => `set aside: ${resource}`,
      ),
      ...['people item', 'projects item', 'phases item', 'roles item'].map((resource) => `set aside: ${resource}`),
      'settings: none',
      'duplicates',
      'an empty text for null',
      'more than 4 decimals',
      'no budget total',
      'two tags',
      'no tag',
      'inactive project',
      'inactive person',
      'work hours history',
      'hired',
      'left',
      'a contract without date',
      'two contracts on one date',
      'lone cost rate',
      'lone cost rate later',
      'no contract yet',
      'contract without role',
      'contract without cost rate',
      'time off of several people',
      'time off without a repeat end',
      'time off of an unknown person',
      'holiday of everybody',
      'holiday of a region',
      'holiday of a region without people',
      'holiday of several days',
      'allocation of several people',
      'allocation of 0 hours',
      'allocation outside employment',
      'allocation without lines',
      'occurrences that share days, all of them (D3)',
      'occurrences that share days, some of them (D3), in months',
      'occurrence cut by its repeat end',
      'repeat end: unknown project',
      'repeat end: of project true',
      'repeat end: of project false',
      'day off',
      'part of a day off',
      'partial days off that add up beyond W',
      'overtime (D6)',
      'worked outside employment',
      'logged 0 hours',
      'D8 unknown allocation, known task',
      'D8 both',
      'unknown person',
      'unknown project',
      'unknown phase',
      'unknown task',
      'unknown role',
      'no role',
      'D9 allocation, phase',
      'D9 allocation, project task',
      'D9 logged time, phase',
      'D9 logged time, project task',
      'D9 team item',
      'D7 work by call',
      ...each([true, false], 'D5 archived, end false, capacity'),
      'D5 archived, end true, capacity true',
      'D5 planned after the last logged day',
      'billable at rate 0',
      'cost rate 0',
      'not billable, with a rate',
      'rounding moved an amount (A1)',
      'team item with a phase',
      'two items for one person',
      'role of the phase team',
      'role of the project team',
      'phase team item without rate',
      'project team item that names the phase',
    ];
    expect(wanted.filter((name) => !found.has(name))).toEqual([]);
    // S1: most combinations of project, phase (or none) and allocation statuses.
    expect([...found].filter((name) => name.startsWith('S1 ')).length).toBeGreaterThan(80);
  });

  it('uses every report, filter, interval, dimension and measure in 300 seeds', { timeout: 120_000 }, () => {
    const found = new Set<string>();
    for (const seed of SEEDS) {
      const dataset = randomDataset(seed);
      for (const index of [0, 1, 2, 3, 4, 5]) {
        const query = randomQuery(seed * 6 + index, dataset);
        for (const name of queryCoverageOf(dataset, query)) found.add(name);
      }
    }
    const reports = ['projects', 'phases', 'people', 'tasks', 'pivot'];
    const missable = FILTERS.filter((filter) => !FLAGS.includes(filter));
    const measures = Object.keys(runReport(company(), 'projects', MARCH).totals);
    const wanted = [
      ...reports.map((name) => `report ${name}`),
      ...reports.flatMap((name) =>
        ['none', 'day', 'week', 'month', 'quarter', 'year'].map((interval) => `${name} interval ${interval}`),
      ),
      ...FILTERS.map((filter) => `parameter ${filter}`),
      ...missable.map((filter) => `${filter} none`),
      ...['draft', 'tentative', 'confirmed', 'completed'].map((status) => `status ${status}`),
      ...Object.keys(PIVOT_COLUMNS).map((dimension) => `group_by ${dimension}`),
      ...measures.map((measure) => `${measure} given`),
      ...measures.filter((measure) => measure.endsWith('percent')).map((measure) => `${measure} null`),
      ...['actual_cost', 'actual_fees', 'forecast_profit', 'scheduled_revenue'].map((measure) => `${measure} null`),
      ...['capacity_hours', 'time_off_hours', 'overtime_hours', 'unscheduled_hours'].map((name) => `${name} not 0`),
      ...['cutoff before', 'cutoff inside', 'cutoff after', 'rows', 'no rows'],
      ...['parameter include_empty', 'parameter expand'],
    ];
    expect(wanted.filter((name) => !found.has(name))).toEqual([]);
  });
});
