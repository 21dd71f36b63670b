import { expect, test } from 'vitest';
import type { Fields } from '../../src/records/resource/field.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { buildCompany, companyOf, openCompany, type Records } from './company.ts';

const odd: Records = {
  people: [
    {
      people_id: 1,
      name: 'Ana',
      people_code: 'A-1',
      start_date: '2026-01-05',
      end_date: '2026-01-31',
      contracts: [
        { effective_date: '2026-01-01', cost_rate: 40 },
        { effective_date: '2026-01-05', cost_rate: 50 },
      ],
    },
    { people_id: 2, name: 'Ben', people_code: 'a-1', default_hourly_rate: 80 },
    { people_id: 3, name: 'Cem', people_code: 'C', people_type_id: 1 },
  ],
  projects: [
    { project_id: 7, name: 'Dam', default_hourly_rate: 100, budget_type: 2, budget_priority: 1, budget_total: 403000 },
    { project_id: 8, name: 'Talks', non_billable: 1, budget_type: 1, budget_priority: 1, budget_total: 12.5 },
    { project_id: 9, name: 'Gone', status: 4, project_code: 'X' },
  ],
  phases: [
    { phase_id: 71, project_id: 7, name: 'Plan', start_date: '2026-01-12', end_date: '2026-01-13', budget_total: 3000 },
    { phase_id: 81, project_id: 8, name: 'Talk', budget_total: 10.25 },
  ],
  tasks: [
    // Monday to Wednesday, of which the phase has Monday and Tuesday.
    {
      task_id: 1,
      project_id: 7,
      phase_id: 71,
      people_id: 1,
      start_date: '2026-01-12',
      end_date: '2026-01-14',
      hours: 2,
    },
    { task_id: 2, project_id: 7, people_id: 1, start_date: '2026-02-02', end_date: '2026-02-03', hours: 3 },
    {
      task_id: 3,
      project_id: 7,
      people_id: 2,
      start_date: '2026-01-05',
      end_date: '2026-01-05',
      hours: 1,
      repeat_state: 9,
    },
    { task_id: 4, project_id: 7, people_id: 6, start_date: '2026-01-05', end_date: '2026-01-05', hours: 1 },
  ],
  timeoffs: [
    { timeoff_id: 5, people_id: 1, start_date: '2026-01-16', end_date: '2026-01-16', hours: 1, repeat_state: 1 },
  ],
  logged_time: [
    { logged_time_id: 'early', people_id: 1, project_id: 7, date: '2026-01-02', hours: 2 },
    { logged_time_id: 'late', people_id: 1, project_id: 7, date: '2026-02-02', hours: 2 },
    { logged_time_id: 'gone', people_id: 1, project_id: 9, date: '2026-01-08', hours: 1.5 },
    { logged_time_id: 'much', people_id: 1, project_id: 8, date: '2026-01-09', hours: 20 },
    { logged_time_id: 'more', people_id: 1, project_id: 8, date: '2026-01-09', hours: 4.5 },
    { logged_time_id: 'bare', people_id: 3, project_id: 9, date: '2026-01-12', hours: 1 },
    { logged_time_id: 'bad', people_id: 1, project_id: 7, date: '2026-02-30', hours: 1 },
  ],
  project_expenses: [
    { project_expense_id: 1, project_id: 8, name: 'Train', date: '2026-01-07', cost: 30, billable: 1 },
    { project_expense_id: 3, project_id: 9, name: 'Refund', date: '2026-01-08', cost: -12.5, billable: 0 },
    { project_expense_id: 2, project_id: 7, name: 'Hotel', date: '2026-01-08', cost: 90.5, billable: 0, markup: 10 },
  ],
};

test('3.4: each data check finds its case, and reports its place and effect', { tags: ['slow'] }, async () => {
  const company = await openCompany(odd);
  try {
    const { rows } = await company.report('data-quality', { start_date: '2026-01-01', end_date: '2026-12-31' });
    const shown = rows.map(({ check, severity, resource, id, date, hours, amount_at_risk, detail }) =>
      [check, severity, resource, id, date ?? '', hours ?? '', amount_at_risk ?? '', detail].join(' | '),
    );
    expect(shown.sort()).toMatchInlineSnapshot(`
      [
        "allocation_outside_phase | notice | tasks | 1 | 2026-01-14 | 2 | 200 | days outside phase 71: 1",
        "allocation_without_days | warning | tasks | 2 | 2026-02-02 | 3 |  | person 1 has only days off, or days outside the employment, in it",
        "billable_expense_on_non_billable_project | warning | project_expenses | 1 | 2026-01-07 |  | 30 | project 8 is not billable, so the expense is not billed",
        "contract_before_start | notice | people | 1 | 2026-01-01 |  |  | contract 1 takes effect before the person starts on 2026-01-05",
        "credit | notice | projects | 9 |  |  | 12.5 | credits exceed the cost of the expenses",
        "duplicate_code | warning | people | 1 |  |  |  | code A-1 is used 2 times",
        "duplicate_code | warning | people | 2 |  |  |  | code a-1 is used 2 times",
        "hours_without_bill_rate | error | logged_time | bare | 2026-01-12 | 1 |  | actual billable hours of person 3 have no bill rate at any level",
        "hours_without_bill_rate | error | logged_time | gone | 2026-01-08 | 1.5 |  | actual billable hours of person 1 have no bill rate at any level",
        "hours_without_cost_rate | error | logged_time | bare | 2026-01-12 | 1 |  | actual hours of person 3 have no cost rate, neither the person's nor a role's",
        "hours_without_cost_rate | error | tasks | 3 | 2026-01-05 | 1 |  | scheduled hours of person 2 have no cost rate, neither the person's nor a role's",
        "hours_without_cost_rate | error | tasks | 4 | 2026-01-05 | 1 |  | scheduled hours of person 6 have no cost rate, neither the person's nor a role's",
        "markup_on_non_billable_expense | notice | project_expenses | 2 | 2026-01-08 |  | 90.5 | a markup on an expense that is not billable",
        "more_than_24_hours_in_a_day | error | people | 1 | 2026-01-09 | 24.5 | 1225 | 2 logged-time records add up to more than 24 hours",
        "phase_budgets_differ_from_project | warning | projects | 7 |  |  | 400000 | budget 403000; the sum of its phases is 3000",
        "phase_budgets_differ_from_project | warning | projects | 8 |  | 2.25 |  | budget 12.5; the sum of its phases is 10.25",
        "rejected_record | error | logged_time | bad |  |  |  | logged_time.json, record 7: date: not a day written YYYY-MM-DD",
        "repeat_without_end | notice | tasks | 3 | 2026-01-05 | 1 |  | repeats without an end; counted until 2028-01-05",
        "repeat_without_end | notice | timeoffs | 5 | 2026-01-16 | 1 |  | repeats without an end; counted until 2026-01-31",
        "time_on_canceled_project | warning | logged_time | bare | 2026-01-12 | 1 |  | project 9 is canceled",
        "time_on_canceled_project | warning | logged_time | gone | 2026-01-08 | 1.5 | 75 | project 9 is canceled",
        "unknown_reference | warning | tasks | 4 | 2026-01-05 | 1 |  | people_id 6 does not exist",
        "work_outside_employment | warning | logged_time | early | 2026-01-02 | 2 | 80 | person 1 is employed from 2026-01-05",
        "work_outside_employment | warning | logged_time | late | 2026-02-02 | 2 | 100 | person 1 is employed until 2026-01-31",
      ]
    `);
  } finally {
    await company.close();
  }
});

test('3.4: records that are possible and yet hardly meant are found', { tags: ['slow'] }, async () => {
  const logged = (id: string, date: string, more: object) => ({ logged_time_id: id, people_id: 1, date, ...more });
  const planned = (task_id: number, start_date: string, end_date: string, more: object) => ({
    task_id,
    people_id: 1,
    start_date,
    end_date,
    ...more,
  });
  const off = (timeoff_id: number, more: object) => ({
    timeoff_id,
    people_ids: [1],
    start_date: '2026-03-12',
    end_date: '2026-03-12',
    ...more,
  });
  const records: Records = {
    settings: { time_zone: 'Pacific/Kiritimati' },
    people: [{ people_id: 1, name: 'Ana', cost_rate: 50 }],
    projects: [
      { project_id: 1, name: 'April', default_hourly_rate: 100, start_date: '2026-04-01', end_date: '2026-04-30' },
      { project_id: 2, name: 'Any', default_hourly_rate: 100 },
      { project_id: 3, name: 'Gone', default_hourly_rate: 100, status: 4 },
    ],
    phases: [
      { phase_id: 21, project_id: 2, name: 'Canceled', status: 4 },
      { phase_id: 31, project_id: 3, name: 'Canceled with its project', status: 4 },
    ],
    tasks: [
      // From the day before the project to its first one.
      planned(1, '2026-03-31', '2026-04-01', { project_id: 1, hours: 8 }),
      planned(2, '2026-03-23', '2026-03-24', { project_id: 2, hours: 14 }),
      planned(3, '2026-03-23', '2026-03-23', { project_id: 2, hours: 10.5 }),
      planned(4, '2026-03-24', '2026-03-24', { project_id: 2, hours: 10 }),
      planned(5, '2026-03-24', '2026-03-24', { project_id: 3, hours: 24 }),
    ],
    timeoffs: [
      off(1, { full_day: 0 }),
      off(2, { full_day: 0, hours: 2 }),
      off(3, {}),
      off(4, { full_day: 0, status: 1 }),
    ],
    logged_time: [
      logged('early', '2026-03-16', { project_id: 1, hours: 4 }),
      logged('within', '2026-04-01', { project_id: 1, hours: 4 }),
      logged('late', '2026-05-01', { project_id: 1, hours: 1 }),
      logged('first', '2026-03-17', { project_id: 2, hours: 3, notes: 'same' }),
      logged('second', '2026-03-17', { project_id: 2, hours: 3, notes: 'same' }),
      logged('other', '2026-03-17', { project_id: 2, hours: 3, notes: 'another' }),
      logged('none', '2026-03-17', { project_id: 2, hours: 3 }),
      logged('phase', '2026-03-18', { project_id: 2, phase_id: 21, hours: 2 }),
      logged('project', '2026-03-18', { project_id: 3, phase_id: 31, hours: 2 }),
      logged('today', '2026-06-02', { project_id: 2, hours: 1 }),
      logged('typo', '2062-03-11', { project_id: 2, hours: 1 }),
    ],
  };
  // It is the 2nd of June in Kiritimati.
  const company = companyOf(await buildCompany(records, new Date('2026-06-01T12:00:00Z')));
  try {
    const { rows } = await company.report('data-quality', { start_date: '2026-01-01', end_date: '2099-12-31' });
    const shown = rows.map(({ check, severity, resource, id, date, hours, amount_at_risk, detail }) =>
      [check, severity, resource, id, date, hours ?? '', amount_at_risk ?? '', detail].join(' | '),
    );
    expect(shown).toMatchInlineSnapshot(`
      [
        "allocation_outside_project | notice | tasks | 1 | 2026-03-31 | 8 | 800 | days outside project 1: 1",
        "logged_in_future | warning | logged_time | typo | 2062-03-11 | 1 | 50 | dated after 2026-06-02, the day of the last load or change",
        "logged_outside_project | warning | logged_time | early | 2026-03-16 | 4 | 200 | project 1 starts on 2026-04-01",
        "logged_outside_project | warning | logged_time | late | 2026-05-01 | 1 | 50 | project 1 ends on 2026-04-30",
        "more_than_24_hours_planned | warning | tasks | 2 | 2026-03-23 | 14 | 700 | person 1 has more than 24 hours planned on 1 day of it",
        "more_than_24_hours_planned | warning | tasks | 3 | 2026-03-23 | 10.5 | 525 | person 1 has more than 24 hours planned on 1 day of it",
        "same_record_twice | warning | logged_time | first | 2026-03-17 |  |  | equal records besides it: 1",
        "same_record_twice | warning | logged_time | second | 2026-03-17 | 3 | 150 | equals first in person, day, project, phase, task, hours and notes",
        "time_off_without_hours | warning | timeoffs | 1 | 2026-03-12 | 0 |  | neither for full days nor with hours: person 1 has 0 hours off",
        "time_on_canceled_phase | warning | logged_time | phase | 2026-03-18 | 2 | 100 | phase 21 is canceled",
        "time_on_canceled_project | warning | logged_time | project | 2026-03-18 | 2 | 100 | project 3 is canceled",
      ]
    `);
  } finally {
    await company.close();
  }
});

test('3.4: a company without faults has no findings', { tags: ['slow'] }, async () => {
  const company = await openCompany({
    people: [{ people_id: 1, name: 'Ana', cost_rate: 50, default_hourly_rate: 80 }],
    projects: [{ project_id: 7, name: 'Dam' }],
    tasks: [{ task_id: 1, project_id: 7, people_id: 1, start_date: '2026-01-12', end_date: '2026-01-14', hours: 2 }],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 7, date: '2026-01-12', hours: 2 }],
    project_expenses: [
      { project_expense_id: 1, project_id: 7, name: 'Train', date: '2026-01-07', cost: 30, billable: 1 },
    ],
  });
  try {
    const { rows } = await company.report('data-quality', { start_date: '2026-01-01', end_date: '2026-12-31' });
    expect(rows).toEqual([]);
  } finally {
    await company.close();
  }
});

test('3.4: findings of an unknown person are found by the id', { tags: ['slow'] }, async () => {
  const company = await openCompany({
    projects: [{ project_id: 7, name: 'Dam', project_team: [{ people_id: 9 }, { people_id: 10 }] }],
  });
  try {
    const window = { start_date: '2026-01-01', end_date: '2026-12-31' };
    const { rows } = await company.report('data-quality', { ...window, people_id: '9' });
    expect(rows).toMatchObject([{ check: 'unknown_reference', detail: 'project_team.people_id 9 does not exist' }]);
  } finally {
    await company.close();
  }
});

test('3.4: unknown_reference reports every dangling reference', { tags: ['slow'] }, async () => {
  const company = await openCompany({
    departments: [{ department_id: 1, name: 'Works', parent_id: 9 }],
    people: [{ people_id: 1, name: 'Ana', department_id: 9, role_id: 9, contracts: [{ role_id: 8, cost_rate: 40 }] }],
    projects: [
      {
        project_id: 7,
        name: 'Dam',
        client_id: 9,
        project_manager: 9,
        stage_id: 9,
        project_team: [{ people_id: 9, role_id: 9, phase_id: 9 }],
        rate_cards: [{ rate_card_id: 9 }],
      },
    ],
    clients: [{ client_id: 6, name: 'Town', rate_cards: [{ rate_card_id: 8 }] }],
    rate_cards: [{ rate_card_id: 4, rates: [{ role_id: 9, rate: 100 }] }],
    phases: [{ phase_id: 71, project_id: 9, name: 'Plan', phase_team: [{ people_id: 8, role_id: 8 }] }],
    project_tasks: [{ task_meta_id: 5, project_id: 9, phase_id: 9, task_name: 'Survey' }],
    milestones: [{ milestone_id: 6, project_id: 9, phase_id: 9, name: 'Half', date: '2026-01-05' }],
    tasks: [
      {
        task_id: 1,
        project_id: 9,
        phase_id: 9,
        task_meta_id: 9,
        people_id: 9,
        start_date: '2026-01-05',
        end_date: '2026-01-05',
        hours: 1,
      },
      { task_id: 2, project_id: 7, people_ids: [1, 9], start_date: '2026-01-05', end_date: '2026-01-05', hours: 1 },
      { task_id: 3, project_id: 7, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 1 },
    ],
    timeoffs: [
      { timeoff_id: 1, people_id: 9, start_date: '2026-01-05', end_date: '2026-01-05' },
      { timeoff_id: 2, people_ids: [1, 9], start_date: '2026-01-05', end_date: '2026-01-05' },
    ],
    logged_time: [
      {
        logged_time_id: 'a',
        people_id: 9,
        project_id: 9,
        phase_id: 9,
        task_id: 9,
        task_meta_id: 9,
        date: '2026-01-05',
        hours: 1,
      },
      {
        logged_time_id: 'b',
        people_id: 1,
        project_id: 7,
        phase_id: 71,
        task_id: 3,
        task_meta_id: 5,
        date: '2026-01-05',
        hours: 1,
      },
      { logged_time_id: 'c', people_id: 1, date: '2026-01-05', hours: 1 },
    ],
    project_expenses: [{ project_expense_id: 1, project_id: 9, name: 'Train', date: '2026-01-07', cost: 30 }],
    progress: [{ progress_id: 1, project_id: 9, phase_id: 9, task_meta_id: 9, date: '2026-01-07', percent: 30 }],
    retainers: [{ retainer_id: 1, project_id: 9, phase_id: 9, start_date: '2026-01-07', amounts: [{ amount: 40 }] }],
    invoices: [{ invoice_id: 1, client_id: 9, issue_date: '2026-01-31' }],
    invoice_lines: [
      { invoice_line_id: 1, invoice_id: 9, project_id: 9, phase_id: 9, task_meta_id: 9, amount: -1, credits: 9 },
    ],
    write_offs: [{ write_off_id: 1, project_id: 9, phase_id: 9, date: '2026-01-31', amount: 1 }],
  });
  try {
    const rows = await company.rows('SELECT resource, id, detail FROM quality.unknown_reference');
    const shown = rows.map(({ resource, id, detail }) =>
      `${resource} ${id}: ${detail}`.replace(/ does not exist$/, ''),
    );
    expect(shown.sort()).toEqual([
      'clients 6: rate_cards.rate_card_id 8',
      'departments 1: parent_id 9',
      'invoice_lines 1: credits 9',
      'invoice_lines 1: invoice_id 9',
      'invoice_lines 1: phase_id 9',
      'invoice_lines 1: project_id 9',
      'invoice_lines 1: task_meta_id 9',
      'invoices 1: client_id 9',
      'logged_time a: people_id 9',
      'logged_time a: phase_id 9',
      'logged_time a: project_id 9',
      'logged_time a: task_id 9',
      'logged_time a: task_meta_id 9',
      'milestones 6: phase_id 9',
      'milestones 6: project_id 9',
      'people 1: contracts.role_id 8',
      'people 1: department_id 9',
      'people 1: role_id 9',
      'phases 71: phase_team.people_id 8',
      'phases 71: phase_team.role_id 8',
      'phases 71: project_id 9',
      'progress 1: phase_id 9',
      'progress 1: project_id 9',
      'progress 1: task_meta_id 9',
      'project_expenses 1: project_id 9',
      'project_tasks 5: phase_id 9',
      'project_tasks 5: project_id 9',
      'projects 7: client_id 9',
      'projects 7: project_manager 9',
      'projects 7: project_team.people_id 9',
      'projects 7: project_team.phase_id 9',
      'projects 7: project_team.role_id 9',
      'projects 7: rate_cards.rate_card_id 9',
      'projects 7: stage_id 9',
      'rate_cards 4: rates.role_id 9',
      'retainers 1: phase_id 9',
      'retainers 1: project_id 9',
      'tasks 1: people_id 9',
      'tasks 1: phase_id 9',
      'tasks 1: project_id 9',
      'tasks 1: task_meta_id 9',
      'tasks 2: people_ids 9',
      'timeoffs 1: people_id 9',
      'timeoffs 2: people_ids 9',
      'write_offs 1: phase_id 9',
      'write_offs 1: project_id 9',
    ]);
    expect(new Set(rows.map(({ resource, detail }) => `${resource} ${String(detail).split(' ')[0]}`))).toEqual(
      new Set([...listReferences(), 'departments parent_id']),
    );
  } finally {
    await company.close();
  }
});

/** References that no number follows. */
const UNREAD = ['timeoffs timeoff_type_id', 'status people_id'];

/** Lists the references of the resources, but to the own resource, by the names that findings have. */
function listReferences(): string[] {
  const refers = (fields: Fields) => Object.entries(fields).filter(([, { refers: to }]) => to !== undefined);
  const all = resources.flatMap(({ name, fields, lists }) => [
    ...refers(fields).map(([field]) => `${name} ${field}`),
    ...Object.entries(lists).flatMap(([list, items]) =>
      refers(items.fields).map(([field, { from }]) => `${name} ${from?.includes('$') ? list : `${list}.${field}`}`),
    ),
  ]);
  return all.filter((reference) => !UNREAD.includes(reference));
}

test('every check has the same columns in the same order', { tags: ['slow'] }, async () => {
  const company = await openCompany(odd);
  const rows = await company.rows(`
    SELECT table_name, string_agg(column_name, ', ' ORDER BY column_index) AS columns
    FROM duckdb_columns() WHERE schema_name = 'quality' GROUP BY table_name`);
  await company.close();
  expect(rows.length).toBeGreaterThan(10);
  const columns = 'severity, resource, id, date, detail, hours, amount_at_risk, people_id, project_id';
  expect(rows.filter((row) => row['columns'] !== columns)).toEqual([]);
});

test('P1: a bill rate after the end of its project or phase is found', { tags: ['slow'] }, async () => {
  const bill_rate_history = [
    { rate: 100, effective_date: '2026-03-31' },
    { rate: 110, effective_date: '2026-04-01' },
  ];
  const company = await openCompany({
    projects: [{ project_id: 7, name: 'Dam', end_date: '2026-03-31', bill_rate_history }],
    phases: [{ phase_id: 71, project_id: 7, name: 'Plan', end_date: '2026-03-30', bill_rate_history }],
  });
  const rows = await company.rows('SELECT resource, id, date FROM quality.rate_never_used ORDER BY ALL');
  await company.close();
  expect(rows).toEqual([
    { resource: 'phases', id: '71', date: '2026-03-31' },
    { resource: 'phases', id: '71', date: '2026-04-01' },
    { resource: 'projects', id: '7', date: '2026-04-01' },
  ]);
});
