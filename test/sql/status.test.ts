import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, pick, type Row } from './company.ts';

const PERSON = 1;
const DAY = '2026-01-05';
const NAMES = ['draft', 'tentative', 'confirmed', 'completed', 'canceled'];

/** Status of project, phase, allocation and line; `missing` means unset. */
const STATUSES = [
  // All alike.
  ['draft', 'draft', 'draft', 'draft'],
  ['tentative', 'tentative', 'tentative', 'tentative'],
  ['confirmed', 'confirmed', 'confirmed', 'confirmed'],
  ['completed', 'completed', 'completed', 'completed'],
  // One canceled, whatever the others.
  ['canceled', 'draft', 'confirmed', 'canceled'],
  ['confirmed', 'canceled', 'confirmed', 'canceled'],
  ['confirmed', 'confirmed', 'canceled', 'canceled'],
  ['draft', 'draft', 'canceled', 'canceled'],
  ['completed', 'canceled', 'tentative', 'canceled'],
  // Else the least firm.
  ['draft', 'confirmed', 'confirmed', 'draft'],
  ['confirmed', 'draft', 'tentative', 'draft'],
  ['completed', 'tentative', 'draft', 'draft'],
  ['tentative', 'confirmed', 'confirmed', 'tentative'],
  ['confirmed', 'tentative', 'confirmed', 'tentative'],
  ['confirmed', 'confirmed', 'tentative', 'tentative'],
  ['completed', 'completed', 'tentative', 'tentative'],
  // Completed if the least firm is confirmed and any is completed.
  ['completed', 'confirmed', 'confirmed', 'completed'],
  ['confirmed', 'completed', 'confirmed', 'completed'],
  ['confirmed', 'confirmed', 'completed', 'completed'],
  // Without a phase, project and allocation decide; an unset status is confirmed.
  ['confirmed', 'no phase', 'tentative', 'tentative'],
  ['draft', 'no phase', 'confirmed', 'draft'],
  ['canceled', 'no phase', 'confirmed', 'canceled'],
  ['completed', 'no phase', 'confirmed', 'completed'],
  ['missing', 'missing', 'missing', 'confirmed'],
  ['missing', 'missing', 'completed', 'completed'],
] as const;

const status = (name: string) => (NAMES.includes(name) ? { status: NAMES.indexOf(name) } : {});
const ofCombination = STATUSES.map(([project, phase, allocation], index) => ({
  project: { project_id: 1000 + index, name: `S${index}`, ...status(project) },
  phase: { phase_id: 2000 + index, project_id: 1000 + index, name: 'P', ...status(phase) },
  task: {
    task_id: 3000 + index,
    project_id: 1000 + index,
    ...(phase === 'no phase' ? {} : { phase_id: 2000 + index }),
    people_id: PERSON,
    start_date: DAY,
    end_date: DAY,
    hours: 1,
    ...status(allocation),
  },
}));

const [BILLABLE, NON_BILLABLE, CANCELED, TENTATIVE_FLAG, TENTATIVE_FLAG_BUT_CONFIRMED] = [10, 11, 12, 13, 14];
const [PHASE, NON_BILLABLE_PHASE, PHASE_OF_NON_BILLABLE, CANCELED_PHASE, UNKNOWN] = [20, 21, 22, 23, 98];
const [TASK_YES, TASK_NO, TASK_UNSET, TASK_UNKNOWN] = [30, 31, 32, 97];

/** Scheduled lines: project, phase, project task, the allocation's flag, the line's flag. */
const SCHEDULED = [
  ['no flag is set', BILLABLE, 0, null, null, true],
  ['its project is not billable', NON_BILLABLE, 0, null, 1, false],
  ['its phase is not billable', BILLABLE, NON_BILLABLE_PHASE, null, 1, false],
  ['its phase is billable, its project is not', NON_BILLABLE, PHASE_OF_NON_BILLABLE, TASK_YES, 1, false],
  ['the project task is 0', BILLABLE, PHASE, TASK_NO, null, false],
  ['the project task is 0, the allocation 1', BILLABLE, PHASE, TASK_NO, 1, false],
  ['the project task is 1, the allocation 0', BILLABLE, PHASE, TASK_YES, 0, true],
  ['the project task is unset, the allocation 0', BILLABLE, PHASE, TASK_UNSET, 0, true],
  ['the allocation is 0', BILLABLE, PHASE, null, 0, false],
  ['the allocation is 1', BILLABLE, PHASE, null, 1, true],
  ['the project task is unknown, the allocation is 0', BILLABLE, PHASE, TASK_UNKNOWN, 0, false],
  ['the project is unknown', UNKNOWN, 0, null, null, true],
] as const;
const SCHEDULED_CASES = SCHEDULED.map(([why, , , , , billable], index) => [why, billable, index + 1] as const);

/** Actual lines: project, phase, project task, the record's flag, the line's flag. */
const ACTUAL = [
  ['no flag is set', BILLABLE, 0, null, null, true],
  ['its project is not billable', NON_BILLABLE, 0, null, 1, false],
  ['its phase is not billable', BILLABLE, NON_BILLABLE_PHASE, TASK_YES, 1, false],
  ['the record is 0', BILLABLE, PHASE, null, 0, false],
  ['the record is 0, the project task 1', BILLABLE, PHASE, TASK_YES, 0, false],
  ['the record is 1, the project task 0', BILLABLE, PHASE, TASK_NO, 1, true],
  ['the record is unset, the project task is 0', BILLABLE, PHASE, TASK_NO, null, false],
  ['the record is unset, the project task is 1', BILLABLE, PHASE, TASK_YES, null, true],
  ['record and project task are unset', BILLABLE, PHASE, TASK_UNSET, null, true],
  ['the project task is unknown', BILLABLE, PHASE, TASK_UNKNOWN, null, true],
] as const;
const ACTUAL_CASES = ACTUAL.map(([why, , , , , billable], index) => [why, billable, index] as const);

/** Expenses: project, the record's flag, the line's flag. */
const EXPENSES = [
  ['the record is 1', BILLABLE, 1, true],
  ['the record is 0', BILLABLE, 0, false],
  ['the record is unset', BILLABLE, null, false],
  ['the record is 1, its project is not billable', NON_BILLABLE, 1, false],
  ['the record is 1, its project is unknown', UNKNOWN, 1, true],
] as const;
const EXPENSES_CASES = EXPENSES.map(([why, , , billable], index) => [why, billable, index + 1] as const);

const oneDay = (task_id: number, more: object) => {
  return { task_id, people_id: PERSON, start_date: DAY, end_date: DAY, hours: 1, ...more };
};

let company: Company;
let lines: ReadonlyMap<unknown, Row>;

beforeAll(async () => {
  company = await openCompany({
    people: [{ people_id: PERSON, name: 'Ana', cost_rate: 50, default_hourly_rate: 100 }],
    projects: [
      ...ofCombination.map(({ project }) => project),
      { project_id: BILLABLE, name: 'Billable' },
      { project_id: NON_BILLABLE, name: 'Non-billable', non_billable: 1 },
      { project_id: CANCELED, name: 'Canceled', status: 4 },
      { project_id: TENTATIVE_FLAG, name: 'Tentative by its flag', tentative: 1 },
      { project_id: TENTATIVE_FLAG_BUT_CONFIRMED, name: 'Confirmed', tentative: 1, status: 2 },
    ],
    phases: [
      ...ofCombination.map(({ phase }) => phase),
      { phase_id: PHASE, project_id: BILLABLE, name: 'Billable' },
      { phase_id: NON_BILLABLE_PHASE, project_id: BILLABLE, name: 'Non-billable', non_billable: 1 },
      { phase_id: PHASE_OF_NON_BILLABLE, project_id: NON_BILLABLE, name: 'Billable', non_billable: 0 },
      { phase_id: CANCELED_PHASE, project_id: BILLABLE, name: 'Canceled', status: 4 },
    ],
    project_tasks: [
      { task_meta_id: TASK_YES, project_id: BILLABLE, task_name: 'Yes', billable: 1 },
      { task_meta_id: TASK_NO, project_id: BILLABLE, task_name: 'No', billable: 0 },
      { task_meta_id: TASK_UNSET, project_id: BILLABLE, task_name: 'Silent' },
    ],
    tasks: [
      ...ofCombination.map(({ task }) => task),
      ...SCHEDULED.map(([, project_id, phase_id, task_meta_id, billable], index) =>
        oneDay(index + 1, { project_id, phase_id, task_meta_id, billable }),
      ),
      oneDay(100, { project_id: TENTATIVE_FLAG }),
      oneDay(101, { project_id: TENTATIVE_FLAG_BUT_CONFIRMED }),
      oneDay(102, { project_id: UNKNOWN, phase_id: UNKNOWN, status: 3 }),
    ],
    logged_time: [
      ...ACTUAL.map(([, project_id, phase_id, task_meta_id, billable], index) => ({
        logged_time_id: String(index),
        people_id: PERSON,
        date: DAY,
        hours: 1,
        project_id,
        phase_id,
        task_meta_id,
        billable,
      })),
      { logged_time_id: 'canceled', people_id: PERSON, date: DAY, hours: 1, project_id: CANCELED },
      {
        logged_time_id: 'phase',
        people_id: PERSON,
        date: DAY,
        hours: 1,
        project_id: BILLABLE,
        phase_id: CANCELED_PHASE,
      },
      { logged_time_id: 'draft', people_id: PERSON, date: DAY, hours: 1, project_id: 1000 },
    ],
    project_expenses: [
      ...EXPENSES.map(([, project_id, billable], index) => ({
        project_expense_id: index + 1,
        project_id,
        name: 'Train',
        date: DAY,
        cost: 10,
        billable,
      })),
      { project_expense_id: 100, project_id: CANCELED, name: 'Train', date: DAY, cost: 10 },
    ],
  });
  lines = new Map((await company.ledger()).map((line) => [line['line_id'], line]));
});
afterAll(() => company.close());

test.each(STATUSES)(
  'S1: project %s, phase %s, allocation %s: the line is %s',
  (project, phase, allocation, expected) => {
    const index = STATUSES.findIndex((entry) => entry[0] === project && entry[1] === phase && entry[2] === allocation);
    expect(lines.get(`s:${3000 + index}:${PERSON}:${DAY}`)?.['status']).toBe(expected);
  },
);

test('S1: a project without a status is tentative if flagged as tentative', () => {
  expect(lines.get(`s:100:${PERSON}:${DAY}`)?.['status']).toBe('tentative');
  expect(lines.get(`s:101:${PERSON}:${DAY}`)?.['status']).toBe('confirmed');
});

test('S1: an unknown project or phase is confirmed', () => {
  expect(lines.get(`s:102:${PERSON}:${DAY}`)?.['status']).toBe('completed');
});

test('S1: actual and expense lines are confirmed, even on a canceled or draft project or phase', () => {
  for (const id of ['a:canceled', 'a:phase', 'a:draft', 'e:100']) expect(lines.get(id)?.['status']).toBe('confirmed');
});

test('S1: canceled lines count nowhere, draft and tentative ones on request', async () => {
  const window = { start_date: DAY, end_date: DAY };
  const hours = async (status: string) => {
    const { totals } = await company.report('projects', { ...window, status });
    return totals['scheduled_hours'];
  };
  const count = (name: string) =>
    [...lines.values()].filter((line) => line['status'] === name && line['task_id']).length;
  // The allocations of the two tables and the three below them, by the statuses that the tables expect.
  expect(count('draft')).toBe(5);
  expect(await hours('draft')).toBe('5');
  expect(await hours('tentative')).toBe(String(count('tentative')));
  const all = count('draft') + count('tentative') + count('confirmed') + count('completed');
  expect(await hours('draft,tentative,confirmed,completed')).toBe(String(all));
  expect(all + count('canceled')).toBe(STATUSES.length + SCHEDULED.length + 3);
});

test.each(SCHEDULED_CASES)('S2: a scheduled line, when %s: billable is %s', (_why, expected, taskId) => {
  expect(lines.get(`s:${taskId}:${PERSON}:${DAY}`)?.['billable']).toBe(expected);
});

test.each(ACTUAL_CASES)('S2: an actual line, when %s: billable is %s', (_why, expected, id) => {
  expect(lines.get(`a:${id}`)?.['billable']).toBe(expected);
});

test.each(EXPENSES_CASES)('S2: an expense, when %s: billable is %s', (_why, expected, id) => {
  const fee = expected ? '10' : '0';
  expect(pick(lines.get(`e:${id}`), 'billable', 'fee')).toEqual({ billable: expected, fee });
});
