import { expect, test } from 'vitest';
import { AGREED_MEASURES } from '../oracle/agreed-fees.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { openCompany, type Records, type Row } from '../sql/company.ts';

const WINDOW = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };
const NAMES = ['actual_fees', 'fees_beyond_budget', 'earned_revenue', 'earned_profit', 'earned_margin_percent'];

const BASE: Records = {
  settings: { currency: 'EUR' },
  people: [{ people_id: 1, name: 'Ana', cost_rate: '50' }],
};

/** Returns a company with a project of an agreed fee, its rate 100.00, and hours that were logged on days of March. */
const fixed = <More extends Records>(project: object, hours: readonly number[], more: More = {} as More) => ({
  ...BASE,
  projects: [
    { project_id: 1, name: 'One', default_hourly_rate: '100', budget_type: 2, budget_total: '1000', ...project },
  ],
  logged_time: hours.map((count, index) => ({
    logged_time_id: String(index + 1),
    people_id: 1,
    project_id: 1,
    date: `2026-03-0${index + 1}`,
    hours: count,
  })),
  ...more,
});

/** Ten hours on a day after the cutoff. */
const PLAN = [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-04-01', end_date: '2026-04-01', hours: 10 }];

/** The resources of such a company that have ids. */
const ID_FIELDS = { logged_time: 'logged_time_id', project_expenses: 'project_expense_id', tasks: 'task_id' } as const;

/** Makes one company of several with one project each, whose projects get the numbers from 1 on. */
function merge(companies: readonly Records[]): Records {
  const lists = Object.entries(ID_FIELDS).map(([resource, field]) => [
    resource,
    companies.flatMap((company, index) =>
      (company[resource as keyof typeof ID_FIELDS] ?? []).map((record) => ({
        ...record,
        [field]: `${index + 1}00${(record as Row)[field]}`,
        project_id: index + 1,
      })),
    ),
  ]);
  const projects = companies.flatMap((company, index) =>
    (company.projects ?? []).map((project) => ({ ...project, project_id: index + 1 })),
  );
  return { ...companies[0], projects, ...Object.fromEntries(lists) };
}

type Values = readonly (readonly Row[string][])[];

/** Returns for each project of a company the values of measures by row, with those of the totals at the end. */
async function readEach(
  records: Records,
  names: readonly string[],
  sent: Readonly<Record<string, string>> = {},
): Promise<Values[]> {
  const company = await openCompany(records);
  try {
    const read: Values[] = [];
    for (const { project_id } of (records.projects ?? []) as readonly Row[]) {
      const parameters = { ...WINDOW, group_by: 'day', measures: names.join(','), project_id: String(project_id) };
      const { rows, totals } = await company.report('pivot', { ...parameters, ...sent });
      read.push([...rows, totals].map((row) => names.map((name) => row[name] ?? null)));
    }
    return read;
  } finally {
    await company.close();
  }
}

/** As readEach, for the one project of a company. */
async function read(...asked: Parameters<typeof readEach>): Promise<Values> {
  return (await readEach(...asked))[0] ?? [];
}

test('3.3.1: a line is within the agreed fee or beyond it, and earns by progress in hours', {
  tags: ['slow'],
}, async () => {
  expect(await read(fixed({}, [10, 10, 10], { tasks: PLAN }), NAMES)).toEqual([
    ['1000', '0', '250', '-250', '-100'],
    ['1000', '1000', '250', '-250', '-100'],
    ['1000', '1000', '250', '-250', '-100'],
    ['3000', '2000', '750', '-750', '-100'],
  ]);
});

test('3.3.1: what is earned is rounded so that the lines add up to the fee', { tags: ['slow'] }, async () => {
  const lines = { budget_total: '100', default_hourly_rate: '10' };
  const companies = [fixed({ ...lines, status: 3 }, [1, 1, 1]), fixed(lines, [1, 1, 1])];
  expect(await readEach(merge(companies), ['earned_revenue'])).toEqual([
    [['33.33'], ['33.34'], ['33.33'], ['100']],
    [['10'], ['10'], ['10'], ['30']],
  ]);
});

test('3.3.1: case 16, a fee of 1,000.00 that took 30 hours at 100.00', { tags: ['slow'] }, async () => {
  const found = ['3000', '2000', '1000', '-500', '-50'];
  const companies = [{}, { status: 3 }, { end_date: '2026-03-31' }].map((project) => fixed(project, [10, 10, 10]));
  const read = await readEach(merge(companies), NAMES);
  expect(read.map((values) => values.at(-1))).toEqual([found, found, found]);
});

test('3.3.1: work that is left to do goes on in the same order, and earns the rest of the fee', {
  tags: ['slow'],
}, async () => {
  const names = ['forecast_fees_beyond_budget', 'forecast_earned_revenue', 'forecast_earned_profit'];
  const sent = { start_date: '2026-01-01', end_date: '2026-12-31' };
  // A tentative project is not done because its plan is tentative; a plan that is less firm than its project is not left to do.
  const tentative = PLAN.map((task) => ({ ...task, status: 1 }));
  const companies = [
    fixed({}, [10, 10, 10], { tasks: PLAN }),
    fixed({ status: 1 }, [10, 10, 10], { tasks: tentative }),
    fixed({}, [10, 10, 10], { tasks: tentative }),
  ];
  expect((await readEach(merge(companies), names, sent)).map((values) => values.at(-1))).toEqual([
    ['3000', '1000', '-1000'],
    ['3000', '1000', '-1000'],
    ['2000', '1000', '-500'],
  ]);
});

test('3.3.1: lines of one day stand in the order of their ids, labour before expenses', {
  tags: ['slow'],
}, async () => {
  const day = '2026-03-05';
  const records = fixed({ budget_total: '250' }, [], {
    logged_time: ['b', 'B', 'a'].map((id) => ({
      logged_time_id: id,
      people_id: 1,
      project_id: 1,
      date: day,
      hours: 1,
    })),
    project_expenses: [
      { project_expense_id: 1, project_id: 1, date: day, cost: '40', billable: 1 },
      { project_expense_id: 2, project_id: 1, date: day, cost: '10' },
    ],
  });
  const company = await openCompany(records);
  try {
    const { rows } = await company.report('lines', { ...WINDOW, measure: 'fees_beyond_budget' });
    expect(rows.map(({ line_id, contribution }) => [line_id, contribution])).toEqual([
      ['a:B', '0'],
      ['a:a', '0'],
      ['a:b', '50'],
      ['e:1', '40'],
      ['e:2', '0'],
    ]);
  } finally {
    await company.close();
  }
});

const EXPENSES = [
  { project_expense_id: 1, project_id: 1, date: '2026-03-10', cost: '900', billable: 1 },
  { project_expense_id: 2, project_id: 1, date: '2026-03-11', cost: '300', billable: 1 },
];
const CREDIT = { project_expense_id: 3, project_id: 1, date: '2026-03-12', cost: '-1500', billable: 1 };

const FEES: readonly (readonly [string, Records, (string | null)[]])[] = [
  ['without a total: none is agreed', fixed({ budget_total: null }, [10]), ['0', '1000']],
  ['of 0: all is beyond', fixed({ budget_total: 0 }, [10]), ['1000', '0']],
  ['of a fraction of a cent is rounded', fixed({ budget_total: '0.005' }, [1]), ['99.99', '0.01']],
  ['in hours agrees no fee', fixed({ budget_type: 1, budget_total: 5 }, [10]), ['0', '1000']],
  ['as a budget of fees by time agrees none', fixed({ budget_type: 3 }, [20]), ['0', '2000']],
  ['used by expenses alone', fixed({}, [], { project_expenses: EXPENSES }), ['200', '1000']],
  ['and a credit larger than all', fixed({}, [], { project_expenses: [...EXPENSES, CREDIT] }), ['0', '-300']],
  [
    'of a completed project pays for its expenses',
    fixed({ status: 3 }, [2], { project_expenses: EXPENSES }),
    ['400', '1000'],
  ],
  ['of a canceled project is earned as it is used', fixed({ status: 4 }, [2, 9]), ['100', '1000']],
  ['with unknown fees earns by hours', fixed({ status: 3, default_hourly_rate: null }, [2, 8]), ['0', '1000']],
];

test('3.3.1: fixed fees of many kinds', { tags: ['slow'] }, async () => {
  const names = ['fees_beyond_budget', 'earned_revenue'];
  const read = await readEach(merge(FEES.map(([, records]) => records)), names);
  const found = FEES.map(([title], index) => [title, read[index]?.at(-1)]);
  expect(found).toEqual(FEES.map(([title, , expected]) => [title, expected]));
});

test('3.3.1: a fee is agreed at one level, phases or tasks; work beside them and expenses earn their own fees', {
  tags: ['slow'],
}, async () => {
  const phases = [
    { phase_id: 11, project_id: 1, name: 'A', budget_total: '150', status: 3 },
    { phase_id: 12, project_id: 1, name: 'B', budget_total: '50' },
    { phase_id: 13, project_id: 1, name: 'C' },
  ];
  const project_tasks = [{ task_meta_id: 21, project_id: 1, phase_id: 12, task_name: 'T', budget: '70' }];
  const logged_time = [11, 11, 12, 13, 0].map((phase_id, index) => ({
    logged_time_id: String(index),
    people_id: 1,
    project_id: 1,
    phase_id,
    ...(phase_id === 12 && { task_meta_id: 21 }),
    date: '2026-03-02',
    hours: 1,
  }));
  const more = { phases, project_tasks, logged_time, project_expenses: EXPENSES };
  const sent = { group_by: 'phase' };
  const names = ['fees_beyond_budget', 'earned_revenue'];
  // (no phase) with its hour and the expenses, then A, B and C, and the totals.
  expect(await read(fixed({ budget_priority: 1 }, [], more), names, sent)).toEqual([
    ['0', '1300'],
    ['50', '150'],
    ['50', '50'],
    ['0', '100'],
    ['100', '1600'],
  ]);
  expect((await read(fixed({ budget_priority: 2 }, [], more), names, sent)).at(-1)).toEqual(['30', '1670']);
});

test('marts.agreed_fees has the lines that use agreed fees, up to the last day with logged time and after it', {
  tags: ['slow'],
}, async () => {
  const company = await openCompany(fixed({}, [10, 10, 10], { tasks: PLAN, project_expenses: EXPENSES }));
  try {
    const rows = await company.rows(`
      SELECT line_id, CAST(cutoff_date AS VARCHAR), is_forecast, agreed_fee, fee, fee_within, fee_beyond, earned_fee, is_by_progress
      FROM marts.agreed_fees ORDER BY date, line_id`);
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['a:1', '2026-03-03', false, '1000', '1000', '1000', '0', '250', true],
      ['a:2', '2026-03-03', false, '1000', '1000', '0', '1000', '250', true],
      ['a:3', '2026-03-03', false, '1000', '1000', '0', '1000', '250', true],
      ['e:1', '2026-03-03', true, '1000', '900', '0', '900', '0', true],
      ['e:2', '2026-03-03', true, '1000', '300', '0', '300', '0', true],
      ['s:1:1:2026-04-01', '2026-03-03', true, '1000', '1000', '0', '1000', '250', true],
    ]);
  } finally {
    await company.close();
  }
});

test('3.3.1: notes count the agreed fees whose progress is unknown', { tags: ['slow'] }, async () => {
  const records = fixed({ budget_total: '5000' }, [10], {});
  const measures = 'earned_revenue';
  const unknown = [
    [{}, [expect.stringMatching(/^1 agreed fee of 5,000\.00 EUR in all is earned as used: no billable hours/)]],
    [{ project_id: '2' }, []],
    [{ measures: 'fees_beyond_budget' }, []],
  ] as const;
  for (const [project, asked] of [
    [{}, unknown],
    [{ status: 3 }, [[{}, []]]],
  ] as const) {
    const company = await openCompany({
      ...records,
      projects: records.projects.map((one) => ({ ...one, ...project })),
    });
    try {
      for (const [sent, notes] of asked) {
        const { table } = await company.report('pivot', { ...WINDOW, group_by: 'project', measures, ...sent });
        expect(table.meta.notes).toEqual(notes);
      }
    } finally {
      await company.close();
    }
  }
});

test('3.3.1: lines split in two earn the same and are beyond the fee by the same, day by day', {
  tags: ['slow'],
}, async () => {
  const random = new Prng(SEED);
  for (const status of [1, 3, 4]) {
    const hours = Array.from({ length: 9 }, () => 2 * random.int(0, 6));
    const whole = fixed({ status, budget_total: random.pick(['333.33', '1000', '5000.01']) }, hours, {
      tasks: random.chance(0.5) ? PLAN : [],
    });
    const split = whole.logged_time.flatMap((line) =>
      ['a', 'b'].map((half) => ({ ...line, logged_time_id: `${line.logged_time_id}${half}`, hours: line.hours / 2 })),
    );
    expect(await read({ ...whole, logged_time: split }, AGREED_MEASURES), `PLUMBLINE_SEED=${SEED}`).toEqual(
      await read(whole, AGREED_MEASURES),
    );
  }
});
