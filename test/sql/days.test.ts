import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, column, openCompany, pick, type Row } from './company.ts';

// In 2026 the 1st of January is a Thursday, the 1st of February and of March are Sundays.

const [EVERY_DAY, ANA, BEN, CY, DAN, EVE, FAY, GUS, HAL, IDA, JO, KIM, LEE, MAY, NORA, OLA] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];
const STRANGER = 99;
const [PROJECT, ENDING_PROJECT, ENDED_PROJECT, UNKNOWN_PROJECT] = [10, 11, 12, 98];

const people = [
  { people_id: EVERY_DAY, name: 'Every Day', work_days_hours: [8, 8, 8, 8, 8, 8, 8] },
  { people_id: ANA, name: 'Ana', start_date: '2026-01-06', end_date: '2026-01-15' },
  {
    people_id: BEN,
    name: 'Ben',
    work_days_hours: [1, 2, 3, 4, 5, 6, 7],
    // Not ordered by date.
    work_days_hours_history: { '2026-03-02': [0, 9, 9, 9, 9, 0, 0], '2026-02-04': [0, 6, 6, 6, 6, 6, 0] },
  },
  { people_id: CY, name: 'Cy' },
  { people_id: OLA, name: 'Ola', work_days_hours: '' },
  { people_id: DAN, name: 'Dan', work_days_hours: [8, 8, 8, 8, 8, 8, 8], end_date: '2030-06-30' },
  { people_id: EVE, name: 'Eve', work_days_hours: [8, 8, 8, 8, 8, 8, 8] },
  { people_id: FAY, name: 'Fay', work_days_hours: [0, 8, 8, 8, 8, 8, 0] },
  { people_id: GUS, name: 'Gus', work_days_hours: [0, 8, 8, 8, 8, 8, 0] },
  { people_id: HAL, name: 'Hal', work_days_hours: [0, 8, 8, 8, 8, 8, 0], end_date: '2026-01-18' },
  {
    people_id: IDA,
    name: 'Ida',
    work_days_hours: [0, 8, 8, 8, 8, 8, 0],
    work_days_hours_history: { '2026-01-19': [0, 8, 8, 8, 8, 0, 0] },
  },
  { people_id: JO, name: 'Jo', work_days_hours: [0, 8, 8, 8, 8, 8, 0], start_date: '2026-01-05' },
  { people_id: KIM, name: 'Kim', work_days_hours: [8, 8, 8, 8, 8, 8, 8] },
  { people_id: LEE, name: 'Lee', region_id: 7, work_days_hours: [0, 8, 8, 8, 8, 8, 0] },
  { people_id: MAY, name: 'May', region_id: 8, work_days_hours: [0, 8, 8, 8, 8, 8, 0] },
  {
    people_id: NORA,
    name: 'Nora',
    work_days_hours: [0, 8, 8, 8, 8, 8, 0],
    work_days_hours_history: { '2026-01-12': [0, 0, 0, 0, 0, 0, 0] },
  },
];

const repeating = (
  task_id: number,
  dates: string,
  repeat_state: number,
  repeat_end_date?: string,
  more: object = {},
) => {
  const [start_date, end_date = start_date] = dates.split('..');
  const task = { task_id, project_id: PROJECT, people_id: EVERY_DAY, start_date, end_date, hours: 4, repeat_state };
  return { ...task, ...(repeat_end_date ? { repeat_end_date } : {}), ...more };
};
const single = (task_id: number, people_id: number, dates: string, more: object = {}) =>
  repeating(task_id, dates, 0, undefined, { people_id, ...more });

const tasks = [
  // D1, D6: the account's hours for an unknown person.
  single(1, STRANGER, '2026-01-01..2026-01-11'),

  // D2: on a Wednesday, in steps of weeks and of months.
  repeating(20, '2026-01-07', 0, '2026-12-31'),
  repeating(21, '2026-01-07', 1, '2026-01-28'),
  repeating(22, '2026-01-14', 2, '2026-04-30'),
  repeating(23, '2026-01-07', 3, '2026-02-18'),
  repeating(24, '2026-01-07', 4, '2026-02-18'),
  repeating(25, '2026-01-07', 5, '2026-04-01'),
  repeating(26, '2026-01-14', 6, '2026-07-31'),
  repeating(27, '2026-01-14', 7, '2026-10-31'),
  repeating(28, '2026-01-14', 8, '2027-01-31'),
  repeating(29, '2026-01-14', 9, '2028-12-31'),
  repeating(30, '2026-01-29', 2, '2026-05-31'),
  repeating(31, '2026-01-07', 1, '2026-01-27'),
  repeating(32, '2026-01-07..2026-01-09', 1, '2026-01-22'),
  repeating(33, '2026-01-07..2026-01-09', 1, '2026-01-08'),
  repeating(34, '2026-01-14..2026-01-15', 2, '2026-02-28'),
  repeating(35, '2026-01-07', 3, undefined, { project_id: ENDING_PROJECT }),
  repeating(36, '2026-01-07..2026-01-10', 1),
  repeating(37, '2026-01-14', 9, undefined, { project_id: UNKNOWN_PROJECT }),
  repeating(38, '2026-01-07', 3, '2026-03-04', { project_id: ENDING_PROJECT }),
  repeating(39, '2026-01-31..2026-02-01', 2, '2026-04-30'),

  // D3
  repeating(50, '2026-01-05..2026-01-14', 1, '2026-01-20'),
  repeating(51, '2026-01-01..2026-02-09', 2, '2026-02-28'),
  repeating(52, '2026-01-05..2026-01-12', 1, '2026-01-19', { people_id: NORA }),
  repeating(53, '2026-01-05..2026-01-11', 1, '2026-01-18', { people_id: NORA }),
  repeating(54, '2026-01-01..2026-01-30', 2, '2026-05-06'),
  repeating(55, '2026-01-01..2026-02-09', 2, undefined, { project_id: ENDED_PROJECT }),
  repeating(56, '2026-01-01..2026-04-10', 2, '2026-02-20'),
  repeating(57, '2026-01-01..2026-04-10', 1, '2026-02-20'),

  // D6
  single(60, FAY, '2026-01-09..2026-01-12'),
  single(61, FAY, '2026-01-17..2026-01-18', { hours: 3 }),
  single(62, FAY, '2026-01-23..2026-01-25'),
  single(63, FAY, '2026-01-28..2026-01-30', { hours: 8 }),
  single(64, FAY, '2026-02-02', { hours: 0 }),
  single(65, GUS, '2026-01-07', { people_ids: [LEE, MAY, LEE] }),
  single(66, GUS, '2026-01-07', { people_ids: [] }),
  single(67, HAL, '2026-01-15..2026-01-20'),
  single(68, HAL, '2026-01-17..2026-01-20'),
  single(69, HAL, '2026-01-19..2026-01-20'),
  single(70, JO, '2026-01-03..2026-01-05'),
  repeating(71, '2026-01-09..2026-01-10', 1, '2026-01-31', { people_id: IDA }),
  single(72, FAY, '2026-02-04', { hours: 12 }),
  single(73, LEE, '2026-05-11..2026-05-15', { people_ids: [LEE, MAY] }),

  // D8
  single(80, CY, '2026-06-01', { project_id: 30, phase_id: 301 }),
  single(81, CY, '2026-06-02', { project_id: 30, task_meta_id: 501 }),
];

const off = (timeoff_id: number, people_id: number, dates: string, more: object = {}) => {
  const [start_date, end_date = start_date] = dates.split('..');
  return { timeoff_id, people_id, start_date, end_date, ...more };
};

const timeoffs = [
  // D2, D3: repeating time off.
  off(1, KIM, '2026-04-06', { people_ids: [DAN, EVE], hours: 3, repeat_state: 9 }),
  off(2, KIM, '2026-01-05..2026-01-14', { hours: 2, repeat_state: 1, repeat_end: '2026-01-14' }),
  off(3, KIM, '2026-02-03', { hours: 2, repeat_state: 3, repeat_end_date: '2026-02-17' }),

  // D4: on separate days in March; the 2nd is a Monday.
  off(10, GUS, '2026-03-02', { hours: 3 }),
  off(11, GUS, '2026-03-02', { hours: 2.5 }),
  off(12, GUS, '2026-03-03', { hours: 5 }),
  off(13, GUS, '2026-03-03', { hours: 6 }),
  off(14, GUS, '2026-03-04', { hours: 2, full_day: 0 }),
  off(15, GUS, '2026-03-04', { full_day: 1 }),
  off(16, GUS, '2026-03-05'),
  off(17, GUS, '2026-03-06', { hours: 3 }),
  off(18, GUS, '2026-03-09', { full_day: 0 }),
  off(19, GUS, '2026-03-10', { full_day: 1, hours: 1 }),
  off(20, GUS, '2026-03-11', { status: 1 }),
  off(21, GUS, '2026-03-12', { status: 3 }),
  off(22, GUS, '2026-03-13', { status: 2 }),
  off(23, GUS, '2026-03-14..2026-03-15'),
  off(24, GUS, '2026-03-16', { people_ids: [LEE] }),
  off(25, GUS, '2026-03-17', { hours: 8 }),
  off(26, GUS, '2026-05-04', { hours: 2 }),
  off(27, GUS, '2026-05-05'),

  // D6: Friday the 23rd, and the last days of January.
  off(30, FAY, '2026-01-23'),
  off(31, FAY, '2026-01-28'),
  off(32, FAY, '2026-01-29', { hours: 6 }),
];

const holidays = [
  { holiday_id: 1, name: 'Two days', date: '2026-05-03', end_date: '2026-05-05' },
  { holiday_id: 2, name: 'Of the north', dates: ['2026-05-11', '2026-05-13'], region: { id: 7, name: 'North' } },
  { holiday_id: 3, name: 'Again', date: '2026-05-18', region_id: 7 },
  { holiday_id: 4, name: 'Again', date: '2026-05-19', region: '7' },
  { holiday_id: 5, name: 'Again', date: '2026-05-20', region: { region_id: 7 } },
  { holiday_id: 6, name: 'Of nobody', date: '2026-05-12', region_id: 9 },
];

const entry = (logged_time_id: string, date: string, more: object = {}) => ({
  logged_time_id,
  people_id: JO,
  date,
  hours: 2,
  ...more,
});

const logged_time = [
  entry('sunday', '2026-01-11', { project_id: PROJECT }),
  entry('before-start', '2026-01-02', { project_id: PROJECT }),
  entry('nothing', '2026-01-12', { project_id: PROJECT, hours: 0 }),
  entry('day-off', '2026-01-23', { people_id: FAY, project_id: PROJECT }),

  entry('of-allocation', '2026-06-01', { task_id: 80 }),
  entry('of-allocation-own-phase', '2026-06-01', { task_id: 80, phase_id: 302 }),
  entry('of-task', '2026-06-01', { task_meta_id: 501 }),
  entry('of-task-own-phase', '2026-06-01', { task_meta_id: 501, phase_id: 302 }),
  entry('allocation-before-task', '2026-06-01', { task_id: 80, task_meta_id: 501 }),
  entry('unknown-allocation', '2026-06-01', { task_id: 77, task_meta_id: 501 }),
  entry('of-nothing', '2026-06-01'),
  entry('own-project', '2026-06-01', { project_id: PROJECT, task_id: 80, task_meta_id: 501 }),
  entry('project-zero', '2026-06-01', { project_id: 0, phase_id: 0, task_id: 80 }),
];

let company: Company;
let lines: Row[];

beforeAll(async () => {
  company = await openCompany({
    settings: { work_days_hours: [0, 8, 8, 8, 8, 5, 0] },
    people,
    projects: [
      { project_id: PROJECT, name: 'Endless' },
      { project_id: ENDING_PROJECT, name: 'Ending', start_date: '2026-01-01', end_date: '2026-02-04' },
      { project_id: ENDED_PROJECT, name: 'Ended', start_date: '2025-01-01', end_date: '2025-12-31' },
      { project_id: 30, name: 'With phases' },
      { project_id: 31, name: 'Of the task' },
    ],
    phases: [
      { phase_id: 301, project_id: 30, name: 'One' },
      { phase_id: 302, project_id: 30, name: 'Two' },
      { phase_id: 311, project_id: 31, name: 'Three' },
    ],
    project_tasks: [{ task_meta_id: 501, project_id: 31, phase_id: 311, task_name: 'Drawing' }],
    tasks,
    timeoffs,
    holidays,
    logged_time,
  });
  lines = await company.ledger();
});
afterAll(() => company.close());

async function occurrencesOf(taskId: number): Promise<unknown[]> {
  const found = await company.rows(`
    SELECT occurrence || ': ' || first_date || '..' || last_date AS dates FROM core.occurrences
    WHERE kind = 'allocation' AND item_id = ${taskId} ORDER BY occurrence`);
  return column(found, 'dates');
}

function daysOf(taskId: number, peopleId?: number): unknown[] {
  const own = lines.filter(({ kind, task_id }) => kind === 'scheduled' && task_id === taskId);
  return column(
    own.filter(({ people_id }) => peopleId === undefined || people_id === peopleId),
    'date',
  );
}

/** Returns work hours, time off and capacity of a person, day by day, as `work - off = capacity`. */
async function hoursOf(peopleId: number, dates: string): Promise<string[]> {
  const [start_date = '', end_date = start_date] = dates.split('..');
  const parameters = { start_date, end_date, people_id: String(peopleId), interval: 'day' };
  const { rows } = await company.report('people', parameters);
  return rows.map(({ capacity_hours, time_off_hours }) => {
    return `${Number(capacity_hours) + Number(time_off_hours)} - ${time_off_hours} = ${capacity_hours}`;
  });
}

async function workHours(peopleId: number, dates: string): Promise<number[]> {
  return (await hoursOf(peopleId, dates)).map((text) => Number(text.split(' ')[0]));
}

async function timeOff(peopleId: number, date: string): Promise<number> {
  return Number((await hoursOf(peopleId, date))[0]?.split(' ')[2]);
}

test('D1: no row before the start date or after the end date, both of which are worked', async () => {
  // Monday the 5th to Friday the 9th: the employment starts on the 6th; then the week in which it ends on the 15th.
  expect(await workHours(ANA, '2026-01-05..2026-01-09')).toEqual([8, 8, 8, 5]);
  expect(await workHours(ANA, '2026-01-12..2026-01-16')).toEqual([8, 8, 8, 8]);
});

test('D1: a week starts on Sunday, and each weekday has its own hours', async () => {
  expect(await workHours(BEN, '2026-01-04..2026-01-10')).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('D1: the latest change of the week on or before the day counts, whatever the order of the list', async () => {
  // Tuesday the 3rd to Thursday the 5th of February, with a change on Wednesday the 4th.
  expect(await workHours(BEN, '2026-02-03..2026-02-05')).toEqual([3, 6, 6]);
  // Thursday the 26th of February to Monday the 2nd of March, the day of the next change.
  expect(await workHours(BEN, '2026-02-26..2026-03-02')).toEqual([6, 6, 0, 0, 9]);
});

test("D1: somebody without own hours works the account's", async () => {
  for (const person of [CY, OLA]) {
    expect(await workHours(person, '2026-01-04..2026-01-10')).toEqual([0, 8, 8, 8, 8, 5, 0]);
  }
});

test("D1: an unknown person works the account's hours", () => {
  expect(daysOf(1)).toEqual([
    '2026-01-01',
    '2026-01-02',
    '2026-01-05',
    '2026-01-06',
    '2026-01-07',
    '2026-01-08',
    '2026-01-09',
  ]);
});

test.each([
  ['0, none', 20, ['2026-01-07']],
  ['1, weekly', 21, ['2026-01-07', '2026-01-14', '2026-01-21', '2026-01-28']],
  ['2, monthly', 22, ['2026-01-14', '2026-02-11', '2026-03-11', '2026-04-08']],
  ['3, every 2 weeks', 23, ['2026-01-07', '2026-01-21', '2026-02-04', '2026-02-18']],
  ['4, every 3 weeks', 24, ['2026-01-07', '2026-01-28', '2026-02-18']],
  ['5, every 6 weeks', 25, ['2026-01-07', '2026-02-18', '2026-04-01']],
  ['6, every 2 months', 26, ['2026-01-14', '2026-03-11', '2026-05-13', '2026-07-08']],
  ['7, every 3 months', 27, ['2026-01-14', '2026-04-08', '2026-07-08', '2026-10-14']],
  ['8, every 6 months', 28, ['2026-01-14', '2026-07-08', '2027-01-13']],
  ['9, yearly', 29, ['2026-01-14', '2027-01-13', '2028-01-12']],
] as const)(
  'D2: repeat state %s, from a Wednesday (for months the second one), up to and including the repeat end',
  (_state, task, days) => {
    expect(daysOf(task)).toEqual(days);
  },
);

test('D2: a fifth Thursday recurs on the fifth, or on the last in a month with four', () => {
  expect(daysOf(30)).toEqual(['2026-01-29', '2026-02-26', '2026-03-26', '2026-04-30', '2026-05-28']);
});

test('D2: a step that starts after the repeat end does not occur', () => {
  expect(daysOf(31)).toEqual(['2026-01-07', '2026-01-14', '2026-01-21']);
});

test('D2: every occurrence is as long as the first; no day after the repeat end counts', () => {
  expect(daysOf(32)).toEqual([
    '2026-01-07',
    '2026-01-08',
    '2026-01-09',
    '2026-01-14',
    '2026-01-15',
    '2026-01-16',
    '2026-01-21',
    '2026-01-22',
  ]);
  expect(daysOf(34)).toEqual(['2026-01-14', '2026-01-15', '2026-02-11', '2026-02-12']);
});

test('D2: the first occurrence counts whole, even beyond the repeat end', () => {
  expect(daysOf(33)).toEqual(['2026-01-07', '2026-01-08', '2026-01-09']);
});

test('D2: an occurrence that begins with a fifth Saturday runs into the next month', () => {
  // The Saturdays: the 31st of January (the fifth), the 28th of February and of March (the last of four).
  expect(daysOf(39)).toEqual([
    '2026-01-31',
    '2026-02-01',
    '2026-02-28',
    '2026-03-01',
    '2026-03-28',
    '2026-03-29',
    '2026-04-25',
    '2026-04-26',
  ]);
});

test('D2: without a repeat end it repeats to the end of its project, if the project has one', () => {
  expect(daysOf(35)).toEqual(['2026-01-07', '2026-01-21', '2026-02-04']);
  expect(daysOf(38)).toEqual(['2026-01-07', '2026-01-21', '2026-02-04', '2026-02-18', '2026-03-04']);
});

test('D2: without a repeat end and a project end it repeats for 2 years after its start', () => {
  // Wednesday to Saturday every week from 2026-01-07; the 7th of January 2028 is a Friday, and the last day.
  expect(daysOf(36).slice(-4)).toEqual(['2028-01-01', '2028-01-05', '2028-01-06', '2028-01-07']);
  expect(daysOf(37)).toEqual(['2026-01-14', '2027-01-13', '2028-01-12']);
});

test('D2: the data-quality report lists repeats without an end', async () => {
  const { rows } = await company.report('data-quality', { start_date: '2026-01-01', end_date: '2026-12-31' });
  const found = rows.filter(({ check }) => check === 'repeat_without_end');
  expect(found.map(({ resource, id }) => `${resource} ${id}`).sort()).toEqual([
    'tasks 35',
    'tasks 36',
    'tasks 37',
    'tasks 55',
    'timeoffs 1',
    'timeoffs 1',
  ]);
});

test('D2: time off without a repeat end continues to the end of each person, else for 2 years', async () => {
  // The first Monday of April: 2026-04-06, 2027-04-05, 2028-04-03, 2029-04-02, 2030-04-01. Dan leaves in June 2030.
  for (const date of ['2026-04-06', '2027-04-05', '2028-04-03']) {
    expect([await timeOff(DAN, date), await timeOff(EVE, date)]).toEqual([3, 3]);
  }
  for (const date of ['2029-04-02', '2030-04-01']) {
    expect([await timeOff(DAN, date), await timeOff(EVE, date)]).toEqual([3, 0]);
  }
});

test('D2: time off repeats like allocations', async () => {
  expect(await timeOff(KIM, '2026-02-03')).toBe(2);
  expect(await timeOff(KIM, '2026-02-10')).toBe(0);
  expect(await timeOff(KIM, '2026-02-17')).toBe(2);
  expect(await timeOff(KIM, '2026-03-03')).toBe(0);
});

test('D3: a day counts once when occurrences of one allocation overlap on it', () => {
  // Ten days from the 5th, again from the 12th and from the 19th, none after the 20th: 16 days, each once.
  expect(daysOf(50)).toHaveLength(16);
  expect(new Set(daysOf(50)).size).toBe(16);
  expect(daysOf(50).at(-1)).toBe('2026-01-20');
  // Forty days from the first Thursday of January, and from the first of February, the 5th: all 59 days of the two months.
  expect(daysOf(51)).toHaveLength(59);
  expect(new Set(daysOf(51)).size).toBe(59);
});

test('D3, D6: occurrences that share days are merged, and the merged work days decide if other days count', () => {
  // Nora works until Sunday the 11th. Eight days from Monday the 5th, and again from the 12th: one occurrence to the 19th with work days.
  expect(daysOf(52)).toEqual(['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09']);
  // Seven days each are adjacent and share none: the second has no day with work hours, so all of its days count.
  expect(daysOf(53)).toEqual([
    ...daysOf(52),
    ...['12', '13', '14', '15', '16', '17', '18'].map((day) => `2026-01-${day}`),
  ]);
});

test('D3: monthly occurrences that share days are merged', async () => {
  // 30 days from the first Thursday of January, February, March and April (1st, 5th, 5th, 2nd): each but the first meets the next one.
  expect(await occurrencesOf(54)).toEqual(['0: 2026-01-01..2026-01-30', '1: 2026-02-05..2026-05-01']);
  // A repeat end before the start, or within the first occurrence, leaves that one whole.
  expect(await occurrencesOf(55)).toEqual(['0: 2026-01-01..2026-02-09']);
  expect(await occurrencesOf(56)).toEqual(['0: 2026-01-01..2026-04-10']);
  expect(await occurrencesOf(57)).toEqual(['0: 2026-01-01..2026-04-10']);
});

test('D3: a day counts once when occurrences of one time off overlap on it', async () => {
  // Two hours on each of ten days from the 5th, and again from the 12th to the 14th.
  expect(await hoursOf(KIM, '2026-01-11..2026-01-15')).toEqual([
    '8 - 2 = 6',
    '8 - 2 = 6',
    '8 - 2 = 6',
    '8 - 2 = 6',
    '8 - 0 = 8',
  ]);
});

test('D4: the hours of partial time off add up', async () => {
  expect(await timeOff(GUS, '2026-03-02')).toBe(5.5);
});

test('D4: time off is limited to the work hours', async () => {
  expect(await timeOff(GUS, '2026-03-03')).toBe(8);
});

test('D4: one full day takes the whole day, whatever other time off exists', async () => {
  expect(await timeOff(GUS, '2026-03-04')).toBe(8);
});

test('D4: without full_day it is a full day unless it has hours', async () => {
  expect(await timeOff(GUS, '2026-03-05')).toBe(8);
  expect(await timeOff(GUS, '2026-03-06')).toBe(3);
  expect(await timeOff(GUS, '2026-03-09')).toBe(0);
  expect(await timeOff(GUS, '2026-03-10')).toBe(8);
});

test('D4: only confirmed time off counts', async () => {
  expect(await timeOff(GUS, '2026-03-11')).toBe(0);
  expect(await timeOff(GUS, '2026-03-12')).toBe(0);
  expect(await timeOff(GUS, '2026-03-13')).toBe(8);
});

test('D4: time off applies to the people it lists, else to its person', async () => {
  expect(await timeOff(GUS, '2026-03-16')).toBe(0);
  expect(await timeOff(LEE, '2026-03-16')).toBe(8);
});

test('D4: a day without work hours is no day off', async () => {
  expect(await timeOff(GUS, '2026-03-14')).toBe(0);
  const days = await company.rows(
    `SELECT CAST(date AS VARCHAR) AS date FROM core.time_off_days
    WHERE people_id = ${GUS} AND is_day_off AND date < DATE '2026-04-01' ORDER BY date`,
  );
  expect(column(days, 'date')).toEqual([
    '2026-03-03',
    '2026-03-04',
    '2026-03-05',
    '2026-03-10',
    '2026-03-13',
    '2026-03-17',
  ]);
});

test('D4: a holiday is full-day time off for everybody, including unknown people', async () => {
  // Monday and Tuesday, the 4th and 5th of May; hours off on the same day count once, and a day without work hours has no time off.
  for (const person of [GUS, KIM]) {
    expect(await hoursOf(person, '2026-05-03..2026-05-06')).toEqual([
      person === KIM ? '8 - 8 = 0' : '0 - 0 = 0',
      '8 - 8 = 0',
      '8 - 8 = 0',
      '8 - 0 = 8',
    ]);
  }
  const days = await company.rows(`
    SELECT CAST(date AS VARCHAR) AS date, time_off_hours AS hours FROM core.time_off_days
    WHERE people_id = ${STRANGER} ORDER BY date`);
  expect(days).toEqual([
    { date: '2026-05-04', hours: '8' },
    { date: '2026-05-05', hours: '8' },
  ]);
});

test('D4: a holiday with a region applies to the people of that region_id, on each of its days', {
  tags: ['slow'],
}, async () => {
  for (const date of ['2026-05-11', '2026-05-13', '2026-05-18', '2026-05-19', '2026-05-20']) {
    expect([await timeOff(LEE, date), await timeOff(MAY, date), await timeOff(GUS, date)]).toEqual([8, 0, 0]);
  }
  expect(await timeOff(LEE, '2026-05-12')).toBe(0);
});

test('D6: a holiday is a day off, so nothing is scheduled on it', () => {
  expect(daysOf(73, LEE)).toEqual(['2026-05-12', '2026-05-14', '2026-05-15']);
  expect(daysOf(73, MAY)).toEqual(['2026-05-11', '2026-05-12', '2026-05-13', '2026-05-14', '2026-05-15']);
});

test('D5: capacity is work hours less time off', async () => {
  // Friday the 27th of February to Wednesday the 4th of March.
  expect(await hoursOf(GUS, '2026-02-27..2026-03-04')).toEqual([
    '8 - 0 = 8',
    '0 - 0 = 0',
    '0 - 0 = 0',
    '8 - 5.5 = 2.5',
    '8 - 8 = 0',
    '8 - 8 = 0',
  ]);
});

test('D6: an allocation counts on the days with work hours', () => {
  expect(daysOf(60)).toEqual(['2026-01-09', '2026-01-12']);
});

test('D6: an allocation entirely on a weekend is overtime, and all its days count', async () => {
  expect(daysOf(61)).toEqual(['2026-01-17', '2026-01-18']);
  const window = { start_date: '2026-01-17', end_date: '2026-01-18', people_id: String(FAY) };
  const { totals } = await company.report('people', window);
  expect(pick(totals, 'scheduled_hours', 'capacity_hours', 'overtime_hours')).toEqual({
    scheduled_hours: '6',
    capacity_hours: '0',
    overtime_hours: '6',
  });
});

test('D6: a day off is not worked, and does not turn the weekend after it into work days', async () => {
  // Friday the 23rd is a day off; Saturday and Sunday have no work hours, but Friday has.
  expect(daysOf(62)).toEqual([]);
  const { rows } = await company.report('data-quality', { start_date: '2026-01-01', end_date: '2026-01-31' });
  const found = rows.filter(({ check, id }) => check === 'allocation_without_days' && id === '62');
  expect(found).toHaveLength(1);
});

test('D6: a day partly off counts with all hours of the allocation', () => {
  expect(daysOf(63)).toEqual(['2026-01-29', '2026-01-30']);
  const own = lines.filter(({ task_id }) => task_id === 63);
  expect(column(own, 'hours')).toEqual(['8', '8']);
});

test('D6: each day has the hours of the allocation, even above the work hours', () => {
  const own = lines.filter(({ task_id }) => task_id === 72);
  expect(own.map(({ date, hours }) => [date, hours])).toEqual([['2026-02-04', '12']]);
});

test('D6: an allocation of 0 hours makes no lines', () => {
  expect(daysOf(64)).toEqual([]);
});

test('D6: the people in the list work on it, each once; without a list its person does', () => {
  expect(lines.filter(({ task_id }) => task_id === 65).map(({ people_id }) => people_id)).toEqual([LEE, MAY]);
  expect(lines.filter(({ task_id }) => task_id === 66).map(({ people_id }) => people_id)).toEqual([GUS]);
});

test('D6: only days within the employment count', () => {
  // Hal leaves on Sunday the 18th; Jo begins on Monday the 5th.
  expect(daysOf(67)).toEqual(['2026-01-15', '2026-01-16']);
  expect(daysOf(69)).toEqual([]);
  expect(daysOf(70)).toEqual(['2026-01-05']);
});

test('D6: the days within the employment decide whether it is overtime', () => {
  // Saturday to Tuesday: only the weekend is within Hal's employment.
  expect(daysOf(68)).toEqual(['2026-01-17', '2026-01-18']);
});

test('D6: each occurrence is judged separately for overtime', () => {
  // Every Friday and Saturday; from Monday the 19th Ida works on neither.
  expect(daysOf(71)).toEqual(['2026-01-09', '2026-01-16', '2026-01-23', '2026-01-24', '2026-01-30', '2026-01-31']);
});

test('D7: logged time is one line on its date, on any day', () => {
  const days = lines.filter(({ kind, date }) => kind === 'actual' && String(date) < '2026-02-01');
  expect(days.map(({ line_id, date, hours }) => [line_id, date, hours])).toEqual([
    ['a:before-start', '2026-01-02', '2'],
    ['a:sunday', '2026-01-11', '2'],
    ['a:day-off', '2026-01-23', '2'],
  ]);
});

test.each([
  ['of-allocation', 'the project and phase of its allocation', 30, 301],
  ['of-allocation-own-phase', 'the project of its allocation, its own phase', 30, 302],
  ['of-task', 'the project and phase of its project task', 31, 311],
  ['of-task-own-phase', 'the project of its project task, and no phase of another project (D9)', 31, 0],
  ['allocation-before-task', 'the project of its allocation, not of its project task', 30, 301],
  ['unknown-allocation', 'the project of its project task if the allocation is unknown', 31, 311],
  ['of-nothing', 'project 0', 0, 0],
  ['own-project', 'its own project, without a phase', PROJECT, 0],
  ['project-zero', 'the project of its allocation if it has project 0', 30, 301],
] as const)('D8: logged time %s takes %s', (id, _why, project, phase) => {
  const line = lines.find(({ logged_time_id }) => logged_time_id === id);
  expect(pick(line, 'project_id', 'phase_id')).toEqual({ project_id: project, phase_id: phase });
});

test('D8: an allocation uses only its own project, not the one of its project task', () => {
  const line = lines.find(({ task_id, kind }) => task_id === 81 && kind === 'scheduled');
  expect(pick(line, 'project_id', 'phase_id')).toEqual({ project_id: 30, phase_id: 0 });
});
