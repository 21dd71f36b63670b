import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, pick, type Row } from './company.ts';

const [ENGINEER, DESIGNER, LEAD, RISING, GAPPED, ZERO, UNPAID] = [1, 2, 3, 4, 5, 6, 7];
const [PLAIN, ITEMS, PRICED, TEAM, ZERO_PROJECT] = [10, 11, 12, 13, 14];
const [PRICED_PHASE, PLAIN_PHASE, ZERO_PHASE, NAMED_PHASE, BOTH_PHASE] = [21, 22, 23, 24, 25];

const roles = [
  { role_id: ENGINEER, name: 'Engineer', default_hourly_rate: 90, cost_rate_history: [{ rate: 40 }] },
  { role_id: DESIGNER, name: 'Designer', default_hourly_rate: 70, cost_rate_history: [{ rate: 30 }] },
  { role_id: LEAD, name: 'Lead', default_hourly_rate: 150, cost_rate_history: [{ rate: 80 }] },
  {
    role_id: RISING,
    name: 'Rising',
    cost_rate_history: [
      { rate: 33, effective_date: '2026-03-01' },
      { rate: 31 },
      { rate: 32, effective_date: '2026-02-01' },
    ],
  },
  {
    role_id: GAPPED,
    name: 'Gapped',
    cost_rate_history: [
      { rate: 51, effective_date: '2026-02-01' },
      { rate: null, effective_date: '2026-03-01' },
      { rate: 53, effective_date: '2026-04-01' },
      { rate: 54, effective_date: '2026-04-01' },
    ],
  },
  { role_id: ZERO, name: 'Zero', default_hourly_rate: 0, cost_rate_history: [{ rate: 0 }] },
  { role_id: UNPAID, name: 'Unpaid' },
];

const people = [
  // R1
  {
    people_id: 101,
    name: 'Contracts',
    cost_rate: 999,
    contracts: [
      { effective_date: '2026-03-01', cost_rate: 63 },
      { effective_date: '2026-01-01', cost_rate: 61 },
      { effective_date: '2026-02-01', cost_rate: 62 },
    ],
  },
  {
    people_id: 102,
    name: 'Undated',
    start_date: '2026-02-01',
    contracts: [{ cost_rate: 60 }, { effective_date: '2026-03-01', cost_rate: 65 }],
  },
  { people_id: 103, name: 'Undated, always', contracts: [{ cost_rate: 60 }] },
  {
    people_id: 104,
    name: 'Twice on a date',
    contracts: [
      { effective_date: '2026-02-01', cost_rate: 71 },
      { effective_date: '2026-02-01', cost_rate: 72 },
      { effective_date: '2026-01-01', cost_rate: 70 },
    ],
  },
  { people_id: 105, name: 'Lone rate, dated', cost_rate: 55, effective_date: '2026-02-01', role_id: UNPAID },
  { people_id: 106, name: 'Lone rate, always', cost_rate: 56 },
  {
    people_id: 107,
    name: 'Later only',
    role_id: ENGINEER,
    contracts: [{ effective_date: '2026-03-01', cost_rate: 67 }],
  },
  {
    people_id: 108,
    name: 'Undated and dated on the start',
    start_date: '2026-02-01',
    contracts: [{ effective_date: '2026-02-01', cost_rate: 73 }, { cost_rate: 74 }],
  },

  // R2
  { people_id: 201, name: 'Own role', role_id: ENGINEER },
  {
    people_id: 202,
    name: "Contract's role",
    role_id: ENGINEER,
    contracts: [{ effective_date: '2026-02-01', role_id: DESIGNER }],
  },
  { people_id: 203, name: 'Contract without role', role_id: ENGINEER, contracts: [{ cost_rate: 60 }] },
  { people_id: 204, name: 'No role' },

  // R3
  { people_id: 301, name: 'By the role', role_id: RISING },
  { people_id: 302, name: 'By a role with a gap', role_id: GAPPED },
  {
    people_id: 303,
    name: 'From elsewhere',
    role_id: ENGINEER,
    contracts: [{ cost_rate: 66, cost_rate_from: 'role' }],
  },
  { people_id: 304, name: 'Contract names a role', role_id: ENGINEER, contracts: [{ role_id: DESIGNER }] },
  { people_id: 305, name: 'Contract names nothing', role_id: ENGINEER, contracts: [{ effective_date: '2026-02-01' }] },
  { people_id: 306, name: 'Role without history', role_id: UNPAID },
  { people_id: 307, name: 'Works for nothing', role_id: ENGINEER, contracts: [{ cost_rate: 0, role_id: ENGINEER }] },
  { people_id: 308, name: 'Role for nothing', role_id: ZERO },

  // R4
  { people_id: 401, name: 'With a rate', role_id: ENGINEER, default_hourly_rate: 120, cost_rate: 50 },
  { people_id: 402, name: 'Without', role_id: ENGINEER, cost_rate: 50 },
  { people_id: 403, name: 'For free', role_id: ENGINEER, default_hourly_rate: 0, cost_rate: 50 },
  { people_id: 404, name: 'Without a role', cost_rate: 50 },
  { people_id: 405, name: 'Role of 0', role_id: ZERO, cost_rate: 50 },
  { people_id: 406, name: 'In both teams', role_id: ENGINEER, default_hourly_rate: 120, cost_rate: 50 },
];

const projects = [
  { project_id: PLAIN, name: 'Plain' },
  {
    project_id: ITEMS,
    name: 'Roles in teams',
    project_team: [
      { people_id: 201, role_id: LEAD },
      { people_id: 202, role_id: LEAD },
      { people_id: 301, role_id: LEAD },
      { people_id: 203 },
    ],
  },
  { project_id: PRICED, name: 'Priced', default_hourly_rate: 110 },
  {
    project_id: TEAM,
    name: 'Team',
    default_hourly_rate: 110,
    project_team: [
      { people_id: 401, hourly_rate: 130, phase_id: 0 },
      { people_id: 402, hourly_rate: null },
      { people_id: 403, hourly_rate: 0 },
      { people_id: 406, hourly_rate: 130 },
      { people_id: 404, hourly_rate: 131 },
      { people_id: 404, hourly_rate: 132 },
      { people_id: 401, hourly_rate: 160, phase_id: NAMED_PHASE },
      { people_id: 401, hourly_rate: 161, phase_id: BOTH_PHASE },
    ],
  },
  { project_id: ZERO_PROJECT, name: 'Zero', default_hourly_rate: 0 },
];

const phases = [
  {
    phase_id: PRICED_PHASE,
    project_id: TEAM,
    name: 'Priced',
    default_hourly_rate: 140,
    phase_team: [
      { people_id: 406, role_id: DESIGNER, hourly_rate: 150 },
      { people_id: 402, hourly_rate: 0 },
      { people_id: 404, role_id: LEAD, hourly_rate: null },
    ],
  },
  { phase_id: PLAIN_PHASE, project_id: TEAM, name: 'Plain' },
  { phase_id: ZERO_PHASE, project_id: TEAM, name: 'Zero', default_hourly_rate: 0 },
  { phase_id: NAMED_PHASE, project_id: TEAM, name: "Named by the project's team", default_hourly_rate: 140 },
  { phase_id: BOTH_PHASE, project_id: TEAM, name: 'In both', phase_team: [{ people_id: 401, hourly_rate: 170 }] },
  {
    phase_id: 26,
    project_id: ITEMS,
    name: 'Roles',
    phase_team: [{ people_id: 201, role_id: DESIGNER }, { people_id: 202 }],
  },
];

/** One hour of a person on a project, a phase and a day, encoded in the id. */
const ids = new Set<string>();
const work = (person: number, project: number, phase: number, day: string) => {
  const id = `${person}:${project}:${phase}:${day}`;
  ids.add(id);
  return id;
};

/** Cases of R1: a person's cost rate and its source on a day. */
const CONTRACTS = [
  ['none before the first contract', 101, '2025-12-31', null, 'none'],
  ['a contract from its date on', 101, '2026-01-01', '61', 'person'],
  ['a contract to the day before the next, in any list order', 101, '2026-01-31', '61', 'person'],
  ['the latest contract on or before the day', 101, '2026-02-01', '62', 'person'],
  ['the last contract without end', 101, '2027-01-01', '63', 'person'],
  ['a contract without a date starts with the start date: not before', 102, '2026-01-31', null, 'none'],
  ['a contract without a date starts with the start date', 102, '2026-02-01', '60', 'person'],
  ['a contract without a date ends with the next', 102, '2026-03-01', '65', 'person'],
  ['a contract without a date, for a person without a start date, has no start', 103, '1970-01-01', '60', 'person'],
  ['two contracts on one date: the later in the list', 104, '2026-02-01', '72', 'person'],
  ['two contracts on one date, one of them dated by the start date', 108, '2026-02-01', '74', 'person'],
  ['a lone cost rate is a contract from its date: not before', 105, '2026-01-31', null, 'none'],
  ['a lone cost rate is a contract from its date', 105, '2026-02-01', '55', 'person'],
  ['a lone cost rate without a date has no start', 106, '1970-01-01', '56', 'person'],
  ['a lone cost rate is ignored next to contracts', 101, '2025-12-30', null, 'none'],
  ["the cost of the person's role before the first contract", 107, '2026-02-28', '40', 'role'],
  ['the contract from its date on', 107, '2026-03-01', '67', 'person'],
] as const;

/** Cases of R3: a person's cost rate and its source on a day. */
const COSTS = [
  ['an entry without a date has no start', 301, '1970-01-01', '31', 'role'],
  ['an entry without a date ends with the first dated one', 301, '2026-01-31', '31', 'role'],
  ['the latest entry on or before the day', 301, '2026-02-01', '32', 'role'],
  ['the latest entry in any list order', 301, '2026-03-01', '33', 'role'],
  ['no rate before the first entry of a role', 302, '2026-01-31', null, 'none'],
  ['a rate from the first entry on', 302, '2026-02-28', '51', 'role'],
  ['an entry without a rate ends the one before', 302, '2026-03-15', null, 'none'],
  ['two entries on one date: the later in the list', 302, '2026-04-01', '54', 'role'],
  ['a contract may name the source of its rate', 303, '2026-01-05', '66', 'role'],
  ['a contract without a rate has the cost of its role', 304, '2026-01-05', '30', 'role'],
  ["the person's role before the contract", 305, '2026-01-31', '40', 'role'],
  ['a contract without rate and role has no known cost', 305, '2026-02-01', null, 'none'],
  ['a role without a history has no known cost', 306, '2026-01-05', null, 'none'],
  ['0 is a cost rate of a contract', 307, '2026-01-05', '0', 'person'],
  ['0 is a cost rate of a role', 308, '2026-01-05', '0', 'role'],
  ['a person without any rate has no known cost', 204, '2026-01-05', null, 'none'],
  ['an unknown person has no known cost', 999, '2026-01-05', null, 'none'],
] as const;

const DAY = '2026-01-05';

/** Cases of R2: the role of a person's line on a project, a phase and a day. */
const ROLES = [
  ["the person's", 201, PLAIN, 0, DAY, ENGINEER],
  ["the project's team before the person", 201, ITEMS, 0, DAY, LEAD],
  ["the phase's team before the project's", 201, ITEMS, 26, DAY, DESIGNER],
  ["the contract's from its day on", 202, PLAIN, 0, '2026-02-01', DESIGNER],
  ["the person's before the contract", 202, PLAIN, 0, '2026-01-31', ENGINEER],
  ["the project's team before the contract", 202, ITEMS, 0, '2026-02-01', LEAD],
  ["the project's team if the phase's has the person without a role", 202, ITEMS, 26, '2026-02-01', LEAD],
  ['none, if there is a contract without one', 203, PLAIN, 0, DAY, null],
  ['none, if the team has the person without one and so has the contract', 203, ITEMS, 0, DAY, null],
  ['none, if nobody says one', 204, PLAIN, 0, DAY, null],
  ["the project team's if the phase has no team", 402, TEAM, PLAIN_PHASE, DAY, ENGINEER],
] as const;

/** Cases of R4: the bill rate of a person's line on a project and phase, and its source. */
const BILLS = [
  ["the phase's team", 406, TEAM, PRICED_PHASE, '150', 'phase_team'],
  ['the phase', 401, TEAM, PRICED_PHASE, '140', 'phase'],
  ["the project's team", 401, TEAM, 0, '130', 'project_team'],
  ["the project's team, if the phase has no rate", 401, TEAM, PLAIN_PHASE, '130', 'project_team'],
  ['the project, if the team has the person without a rate', 402, TEAM, 0, '110', 'project'],
  ["the project, if the person isn't in the team", 405, TEAM, PLAIN_PHASE, '110', 'project'],
  ['the project before the person', 401, PRICED, 0, '110', 'project'],
  ['the person', 401, PLAIN, 0, '120', 'person'],
  ['the role', 402, PLAIN, 0, '90', 'role'],
  ['nothing', 404, PLAIN, 0, null, 'none'],
  ['the phase, if its team has the person without a rate', 404, TEAM, PRICED_PHASE, '140', 'phase'],
  ["an item of the project's team that names the phase", 401, TEAM, NAMED_PHASE, '160', 'phase_team'],
  ["the phase's own team before an item of the project's that names it", 401, TEAM, BOTH_PHASE, '170', 'phase_team'],
  ['the later of two items in a team', 404, TEAM, 0, '132', 'project_team'],
  ["the phase's team at 0", 402, TEAM, PRICED_PHASE, '0', 'phase_team'],
  ['the phase at 0', 401, TEAM, ZERO_PHASE, '0', 'phase'],
  ["the project's team at 0", 403, TEAM, 0, '0', 'project_team'],
  ['the project at 0', 401, ZERO_PROJECT, 0, '0', 'project'],
  ['the person at 0', 403, PLAIN, 0, '0', 'person'],
  ['the role at 0', 405, PLAIN, 0, '0', 'role'],
  ["the team's role", 201, ITEMS, 0, '150', 'role'],
  ["the phase team's role", 201, ITEMS, 26, '70', 'role'],
  ['the person, if the project is unknown', 401, 98, 0, '120', 'person'],
] as const;

for (const [, person, day] of [...CONTRACTS, ...COSTS]) work(person, PLAIN, 0, day);
for (const [, person, project, phase, day] of ROLES) work(person, project, phase, day);
for (const [, person, project, phase] of BILLS) work(person, project, phase, DAY);
work(301, ITEMS, 0, DAY);
work(202, PLAIN, 0, '2026-02-01');

let company: Company;
let lines: readonly Row[];

beforeAll(async () => {
  const places = [...ids].map((id, index) => {
    const [people_id, project_id, phase_id, date] = id.split(':');
    return { index, id, people_id, project_id, phase_id, date };
  });
  company = await openCompany({
    // Every day is a work day, so that every day has a scheduled line.
    settings: { work_days_hours: [8, 8, 8, 8, 8, 8, 8] },
    roles,
    people,
    projects,
    phases,
    tasks: places.map(({ index, people_id, project_id, phase_id, date }) => {
      return { task_id: index + 1, people_id, project_id, phase_id, start_date: date, end_date: date, hours: 1 };
    }),
    logged_time: places.map(({ id, people_id, project_id, phase_id, date }) => {
      return { logged_time_id: id, people_id, project_id, phase_id, date, hours: 1 };
    }),
  });
  lines = await company.ledger();
});
afterAll(() => company.close());

/** Returns values of the actual line, and of the scheduled one if the person is employed then. */
function linesOf(id: string, ...columns: string[]): ReturnType<typeof pick>[] {
  const [person, project, phase, date] = id.split(':');
  return lines
    .filter(
      (line) =>
        String(line['people_id']) === person &&
        String(line['project_id']) === project &&
        String(line['phase_id']) === phase &&
        line['date'] === date,
    )
    .map((line) => pick(line, ...columns));
}

/** Checks the cost of an hour on a day: planned, if the person is employed then, and logged. */
function expectCost(person: number, day: string, cost_rate: string | null, cost_rate_source: string): void {
  const found = linesOf(work(person, PLAIN, 0, day), 'cost_rate', 'cost_rate_source', 'cost');
  // One hour costs its rate.
  const expected = { cost_rate, cost_rate_source, cost: cost_rate };
  const isEmployed = !(person === 102 && day < '2026-02-01');
  expect(found).toEqual(isEmployed ? [expected, expected] : [expected]);
}

test.each(CONTRACTS)('R1: %s (person %s on %s)', (_why, person, day, rate, source) => {
  expectCost(person, day, rate, source);
});

test.each(COSTS)('R3: %s (person %s on %s)', (_why, person, day, rate, source) => {
  expectCost(person, day, rate, source);
});

test.each(ROLES)('R2: the role is %s (person %s)', (_why, person, project, phase, day, role_id) => {
  expect(linesOf(work(person, project, phase, day), 'role_id')).toEqual([{ role_id }, { role_id }]);
});

test("R3: the team's role plays no part in the cost", () => {
  // 301 is Rising and costs 31, whatever role the team assigns.
  const expected = { role_id: LEAD, cost_rate: '31', cost_rate_source: 'role' };
  const found = linesOf(work(301, ITEMS, 0, DAY), 'role_id', 'cost_rate', 'cost_rate_source');
  expect(found).toEqual([expected, expected]);
});

test.each(BILLS)('R4: %s (person %s)', (_why, person, project, phase, bill_rate, bill_rate_source) => {
  const expected = { bill_rate, bill_rate_source, fee: bill_rate };
  const found = linesOf(work(person, project, phase, DAY), 'bill_rate', 'bill_rate_source', 'fee');
  expect(found).toEqual([expected, expected]);
});

test("R4: the role's rate follows the role on the day: the contract's from its day on", () => {
  // 202 is an engineer at 90, and by contract a designer at 70 from the 1st of February.
  expect(linesOf(work(202, PLAIN, 0, '2026-01-31'), 'bill_rate')[0]).toEqual({ bill_rate: '90' });
  expect(linesOf(work(202, PLAIN, 0, '2026-02-01'), 'bill_rate')[0]).toEqual({ bill_rate: '70' });
});

test('R5: without a rate the amount is missing, not 0, and the hours count as without a rate', async () => {
  const window = { start_date: DAY, end_date: DAY, cutoff_date: DAY };
  const { rows } = await company.report('people', window);
  const of = (name: string) =>
    pick(
      rows.find((row) => row['name'] === name),
      'scheduled_hours',
      'scheduled_cost',
      'scheduled_hours_without_cost_rate',
      'actual_cost',
      'actual_hours_without_cost_rate',
      'scheduled_fees',
      'scheduled_hours_without_bill_rate',
      'actual_fees',
      'actual_hours_without_bill_rate',
    );
  // One hour on that day from the cases of R2 and R3, without any rate.
  expect(of('No role')).toEqual({
    scheduled_hours: '1',
    scheduled_cost: null,
    scheduled_hours_without_cost_rate: '1',
    actual_cost: null,
    actual_hours_without_cost_rate: '1',
    scheduled_fees: null,
    scheduled_hours_without_bill_rate: '1',
    actual_fees: null,
    actual_hours_without_bill_rate: '1',
  });
  // One hour at a cost rate of 0, billed by the role at 90.
  expect(of('Works for nothing')).toEqual({
    scheduled_hours: '1',
    scheduled_cost: '0',
    scheduled_hours_without_cost_rate: '0',
    actual_cost: '0',
    actual_hours_without_cost_rate: '0',
    scheduled_fees: '90',
    scheduled_hours_without_bill_rate: '0',
    actual_fees: '90',
    actual_hours_without_bill_rate: '0',
  });
});
