// @module-tag slow
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { findReport, measuresOf } from '../../src/numbers/report/catalogue/catalogue.ts';
import type { Company as Settings } from '../../src/numbers/report/catalogue/company-settings.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import { explainLine } from '../../src/numbers/report/explain/explain-line.ts';
import { explainNumber, type NumberExplanation } from '../../src/numbers/report/explain/explain-number.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import {
  describeLine,
  describeNumber,
  formatLineExplanation,
  formatNumberExplanation,
} from '../../src/numbers/write/explanation.ts';
import { runReport } from '../reports.ts';
import { buildCompany, catalogue, column } from '../sql/company.ts';

// January 2026: the 5th is a Monday. Ana has a cost rate from Wednesday the 7th; Cy has none.
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-09', cutoff_date: '2026-01-07' };
const RECORDS = {
  roles: [{ role_id: 1, name: 'Designer', default_hourly_rate: '120.00' }],
  people: [
    {
      people_id: 1,
      name: 'Ana',
      role_id: 1,
      contracts: [{ role_id: 1 }, { effective_date: '2026-01-07', cost_rate: '50', role_id: 1 }],
    },
    { people_id: 2, name: 'Cy' },
  ],
  projects: [
    {
      project_id: 1,
      name: 'Site',
      budget_type: 1,
      budget_total: 100,
      project_team: [{ people_id: 1, hourly_rate: '99.99' }],
    },
    { project_id: 2, name: 'Shop' },
  ],
  tasks: [
    {
      task_id: 1,
      people_id: 1,
      project_id: 1,
      start_date: '2026-01-05',
      end_date: '2026-01-05',
      hours: '1.3333',
      repeat_state: 1,
      repeat_end_date: '2026-01-30',
    },
    { task_id: 2, people_id: 2, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 },
    { task_id: 3, people_id: 1, project_id: 2, start_date: '2026-01-20', end_date: '2026-01-20', hours: 2 },
    { task_id: 4, people_id: 1, project_id: 2, start_date: '2026-02-10', end_date: '2026-02-10', hours: 2 },
    { task_id: 5, people_id: 2, project_id: 2, start_date: '2026-02-11', end_date: '2026-02-11', hours: 8 },
  ],
  logged_time: [
    { logged_time_id: 'x', people_id: 1, project_id: 1, date: '2026-01-07', hours: '1.3333' },
    { logged_time_id: 'y', people_id: 2, project_id: 1, date: '2026-01-06', hours: 3 },
  ],
  project_expenses: [
    { project_expense_id: 1, project_id: 1, date: '2026-01-06', cost: '10', markup: '10', billable: 1 },
  ],
};

let database: Database;
let company: Settings;
beforeAll(async () => {
  database = await buildCompany(RECORDS);
  company = await readCompany(database);
});
afterAll(() => database.close());

const catalogues = { full: catalogue, withoutRates: hideRates(catalogue) };
const NOW = new Date('2026-01-08T12:00:00Z');
const explain = async (sent: Record<string, string>) => {
  const number = parseNumberQuery(catalogues, { ...WINDOW, ...sent }, { today: '2026-01-08', company });
  return explainNumber({ database, company, now: NOW }, number);
};
/** Explains what a term or a part opens. */
const explainOpened = ({ lines }: { lines: string | null }) => {
  const sent = Object.fromEntries(new URLSearchParams(lines?.split('?')[1]));
  return explain(sent as Record<string, string>);
};
const openedOf = ({ terms, parts }: NumberExplanation) =>
  [...terms, ...Object.values(parts).flat()].filter(({ lines }) => lines !== null);
const plain = (value: unknown) => (value === null ? null : new Decimal(String(value)).toFixed());
const explainById = async (id: string, seesRates = true) =>
  describeLine(
    await explainLine(database, catalogues, seesRates, id),
    (await explain({ measure: 'actual_hours' })).meta,
  );

describe('6.2 explaining a number', () => {
  it.each(['projects', 'people'])(
    'has the value of every total of %s, made of its parts',
    { tags: ['slow'] },
    async (name) => {
      const table = await runReport(database, catalogue, name, WINDOW, { now: NOW });
      for (const { name: measure, unit } of measuresOf(catalogue, findReport(catalogue, name))) {
        const { value, terms, parts } = await explain({ report: name, measure });
        expect(value, measure).toBe(table.totals?.[table.columns.findIndex((each) => each.name === measure)] ?? null);
        expect(terms.length > 0 && parts.person !== undefined, measure).toBe(unit !== 'percent');
      }
    },
  );

  it.each([
    ['people', 'actual_cost'],
    ['people', 'capacity_hours'],
    ['people', 'unscheduled_hours'],
    ['projects', 'variance_cost'],
    ['projects', 'budget_remaining'],
  ])('refuses %s %s if its lines are not those of the report', async (report, measure) => {
    // Loses the largest lines behind the number, and nothing else.
    const rest = 'SELECT * FROM contributions WHERE contribution < (SELECT MAX(contribution) FROM contributions)';
    const losing: Database = {
      ...database,
      rows: (sql) => database.rows(sql.replaceAll('FROM contributions', `FROM (${rest}) AS contributions`)),
    };
    const number = parseNumberQuery(catalogues, { ...WINDOW, report, measure }, { today: '2026-01-08', company });
    const asked = explainNumber({ database: losing, company, now: NOW }, number);
    await expect(asked).rejects.toMatchObject({ code: 'check' });
  });

  it('has the terms with signs, and the hours without a rate', async () => {
    const { value, formula, terms, parts } = describeNumber(
      await explain({ report: 'projects', measure: 'variance_cost' }),
    );
    expect(value).toBe('66.67');
    expect(formula).toBe('Cost of "actual" lines, less cost of "scheduled to date" lines.');
    expect(terms).toMatchObject([
      { sign: '+', value: '66.67', line_count: 2, hours_without_rate: '3.00' },
      { sign: '-', value: null, line_count: 4, hours_without_rate: '25.3333' },
    ]);
    expect(column(parts['person'] ?? [], 'label')).toEqual(['Ana', 'Cy']);
    expect(column(parts['cost_rate_source'] ?? [], 'value')).toEqual(['66.67', null]);
  });

  it('has logged hours of 0 in a balance of days on which nobody logged anything', async () => {
    const sent = { report: 'timesheets', measure: 'balance_hours', cutoff_date: '2026-01-05' };
    expect((await explain(sent)).terms.map(({ sign, value }) => [sign, plain(value)])).toEqual([
      ['+', '0'],
      ['-', '16'],
    ]);
  });

  it('has its parts by month in order, and by person by size', async () => {
    const window = { start_date: '2026-01-01', end_date: '2026-02-28', cutoff_date: '2026-02-28' };
    const { parts } = describeNumber(
      await explain({ ...window, report: 'projects', measure: 'scheduled_hours', project_id: '2' }),
    );
    const shown = (list: typeof parts.month) => list?.map(({ label, value }) => [label, value]);
    expect(shown(parts['month'])).toEqual([
      ['2026-01', '2.00'],
      ['2026-02', '10.00'],
    ]);
    expect(shown(parts['person'])).toEqual([
      ['Cy', '8.00'],
      ['Ana', '4.00'],
    ]);
  });

  it.each([
    ['projects', 'actual_profit'],
    ['projects', 'budget_remaining'],
    ['people', 'unscheduled_hours'],
    ['people', 'unlogged_cost'],
    ['projects', 'covered_hours'],
    ['projects', 'plan_error_hours'],
    ['projects', 'cost_volume_effect'],
  ])(
    'opens terms and parts of %s %s, and theirs, into lines that add up to them',
    { tags: ['slow'] },
    async (report, measure) => {
      for (const opened of openedOf(await explain({ report, measure }))) {
        const inner = await explainOpened(opened);
        expect(plain(inner.value), `${opened.lines}`).toBe(plain(opened.value));
        for (const part of openedOf(inner)) {
          expect(plain((await explainOpened(part)).value), `${part.lines}`).toBe(plain(part.value));
        }
      }
    },
  );

  it('explains the budget of a row that only revenue makes (K4)', { tags: ['slow'] }, async () => {
    const place = { contract: 'fixed', budget_type: 2, budget_total: '500', end_date: '2026-01-06' };
    const own = await buildCompany({ projects: [{ project_id: 7, name: 'Gate', ...place }] });
    onTestFinished(() => own.close());
    const settings = await readCompany(own);
    for (const [measure, value] of Object.entries({ budget_total: '500', budget_used: '0', budget_remaining: '500' })) {
      const sent = { ...WINDOW, report: 'projects', measure, project_id: '7' };
      const number = parseNumberQuery(catalogues, sent, { today: '2026-01-08', company: settings });
      expect(plain((await explainNumber({ database: own, company: settings, now: NOW }, number)).value)).toBe(value);
    }
  });

  it('opens what contracts earn on each kind of lines', async () => {
    const { terms } = await explain({ report: 'projects', measure: 'actual_profit' });
    const opened = terms.map(({ lines }) => new URLSearchParams(lines?.split('?')[1]));
    expect(opened.map((sent) => [sent.get('measure'), sent.get('part')])).toEqual([
      ['actual_revenue', 'kind:actual'],
      ['actual_revenue', 'kind:expense'],
      ['actual_revenue', 'kind:revenue'],
      ['actual_cost', null],
      ['expense_to_date_cost', null],
    ]);
  });

  it('opens the parts of a budget by month, and the plan after the cutoff', async () => {
    const { terms, parts } = describeNumber(
      await explain({ report: 'projects', measure: 'budget_forecast', project_id: '1' }),
    );
    const month = parts['month']?.find(({ label }) => label === '2026-01');
    expect(new URLSearchParams(month?.lines?.split('?')[1]).get('part')).toBe('month:2026-01-01');
    const later = terms.find(({ label }) => label === 'Plan after the cutoff');
    expect(new URLSearchParams(later?.lines?.split('?')[1]).get('part')).toBe('after:2026-01-07');
  });

  it('has the two measures of a percentage', async () => {
    const { percent, terms, lines } = describeNumber(
      await explain({ report: 'projects', measure: 'actual_margin_percent' }),
    );
    expect(percent).toMatchObject({ part: { measure: 'actual_profit' }, whole: { measure: 'actual_revenue' } });
    expect([terms, lines]).toEqual([[], null]);
  });

  it('has the two percentages of a difference in points, of which no line is a part', async () => {
    const { points, percent, lines, value } = describeNumber(
      await explain({ report: 'projects', measure: 'variance_margin_points' }),
    );
    const [now, plan] = [points?.minuend, points?.subtrahend];
    expect([now?.measure, plan?.measure]).toEqual(['actual_margin_percent', 'scheduled_to_date_margin_percent']);
    expect([percent, lines]).toEqual([null, null]);
    expect([now?.value, plan?.value, value], 'no planned cost is known').toEqual([expect.any(String), null, null]);
  });

  it('has the value of a day of the window', async () => {
    const day = { report: 'people', people_id: '1', period_start: '2026-01-07', period_end: '2026-01-07' };
    const { value, percent } = describeNumber(await explain({ ...day, measure: 'utilization_percent' }));
    expect([value, percent?.part.value, percent?.whole.value]).toEqual(['16.67', '1.3333', '8.00']);
  });

  it.each([
    [{ report: 'projects' }, 'measure is missing; give one of scheduled_hours, '],
    [{ report: 'projects', measure: '' }, 'measure: "" is not one of scheduled_hours, '],
    [
      { report: 'project', measure: 'actual_hours' },
      'report: "project" is not one of board, clients, contracts, people, phases',
    ],
    [{ measure: 'actual_hours', sort: 'name', interval: 'month' }, 'interval chooses how a report is shown'],
    [{ measure: 'actual_hours', part: 'team:1' }, 'part: "team:1" is no part of actual_hours'],
    [{ report: 'projects', measure: 'budget_used', part: 'bill_rate_source:role' }, 'is no part of budget_used'],
    [{ measure: 'actual_cost', part: "cost_rate_source:x'" }, 'is no part of actual_cost'],
    [{ measure: 'actual_cost', part: 'month:2026-01-02' }, 'is no part of actual_cost'],
    [{ measure: 'actual_cost', part: 'person:1,until:soon' }, 'part: "until:soon" is no part of actual_cost'],
    [{ measure: 'actual_margin_percent', part: 'person:1' }, 'is no part of actual_margin_percent'],
    [{ measure: 'actual_hours', fields: 'x' }, 'fields chooses how a report is shown, and no number'],
  ])('refuses %j', async (sent, words) => {
    const error = await explain(sent as Record<string, string>).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(words) });
  });

  it('reads well in a terminal', async () => {
    expect(
      formatNumberExplanation(await explain({ report: 'people', measure: 'capacity_hours', people_id: '1' })),
    ).toMatchInlineSnapshot(`
      "Capacity hours, 2026-01-05 to 2026-01-09, actual to 2026-01-07: 40.00 hours
      Work hours less time off, over the row's employees and contractors and its days.
        + Work hours             40.00  5 days
        - Time off and holidays   0.00  5 days

      By person:
        Ana  40.00  5 days

      By month:
        2026-01  40.00  5 days
      "
    `);
  });
});

describe('6.2 explaining a line', () => {
  it('tells the occurrence, and every rate that was looked at, with the one that decided', async () => {
    const { line, steps } = await explainById('s:1:1:2026-01-12');
    expect(line).toMatchObject({
      cost: '66.67',
      fee: '133.32',
      cost_rate_source: 'person',
      bill_rate_source: 'project_team',
    });
    const named = Object.fromEntries(steps.map((step) => [step.name, step]));
    expect(named['day']?.text).toBe(
      "Allocation 1 repeats every week; the day is in repeat 1, on 12 January 2026. The person works on this weekday, and time off doesn't take the whole day.",
    );
    expect(named['bill_rate']?.levels.map(({ label, value, wins }) => [label, value, wins])).toEqual([
      ["The phase's team", null, false],
      ['The phase', null, false],
      ["The project's team", '99.99', true],
      ['The project', null, false],
      ['The person', null, false],
      ['The role Designer', '120.00', false],
    ]);
    expect(named['cost']?.facts.map(({ value, unit }) => [value, unit])).toEqual([
      ['1.3333', 'hours'],
      ['50.00', 'rate'],
      ['66.665', 'money'],
      ['66.67', 'money'],
      ['0.005', 'money'],
    ]);
  });

  it('says that an amount without a rate is unknown', async () => {
    const { steps } = await explainById('a:y');
    expect(steps.find(({ name }) => name === 'cost')?.text).toBe(
      'There is no rate, so the cost is unknown. It is not 0.',
    );
  });

  it('shows no cost, and nothing that gives one away, without the scope rates', async () => {
    for (const id of ['s:1:1:2026-01-12', 'a:x', 'e:1']) {
      const text = JSON.stringify(await explainById(id, false));
      expect(text).not.toMatch(/"cost"|"cost_rate"|66\.6|"50|"10\.00|Markup/);
    }
  });

  it.each([
    ['nonsense', 'usage'],
    ["s:1:1:2026-01-12' OR 1=1", 'usage'],
    ['s:1:1:2026-02-30', 'usage'],
    ['s:1:1:2026-01-13', 'unknown'],
    ["a:y' OR '1'='1", 'unknown'],
    ['e:99', 'unknown'],
  ])('refuses the id %s', async (id, code) => {
    await expect(explainById(id)).rejects.toMatchObject({ code });
  });

  it('reads well in a terminal', async () => {
    const { meta } = await explain({ measure: 'actual_hours' });
    expect(formatLineExplanation(await explainLine(database, catalogues, true, 'e:1'), meta)).toMatchInlineSnapshot(`
      "  kind                expense
        line_id             e:1
        date                2026-01-06
        project_id          1
        project             Site
        phase_id            0
        phase               (no phase)
        project_expense_id  1
        status              confirmed
        billable            true
        cost                10.00
        fee                 11.00

      Why this day has a line (A3)
      An expense is a line on its date. It is actual up to the cutoff.

      Why this is billable or not (S2)
      The expense is billable.
          The project is non-billable  not set
        > The expense itself           true

      Why this cost (A1, A3)
      The cost of the expense, rounded once, here.
        Cost of the record  10.00
        Rounded             10.00

      Why this fee (A1, A3)
      The cost with its markup, rounded once, here.
        Markup  10.0000
        Fee       11.00
      "
    `);
  });

  it('says that a part of another project is none of the line (D9), and whose week decides (D7)', {
    tags: ['slow'],
  }, async () => {
    const other = await buildCompany({
      people: [{ people_id: 1, name: 'Ana', work_days_hours: [0, 0, 0, 0, 0, 0, 0] }],
      projects: [
        { project_id: 1, name: 'Site' },
        { project_id: 2, name: 'Shop' },
      ],
      phases: [{ phase_id: 11, project_id: 1, name: 'Build', start_date: '2026-01-01', end_date: '2026-01-31' }],
      project_tasks: [{ task_meta_id: 12, project_id: 1, task_name: 'Plan' }],
      tasks: [
        {
          task_id: 1,
          people_id: 1,
          project_id: 1,
          phase_id: 11,
          start_date: '2026-01-05',
          end_date: '2026-01-05',
          hours: 8,
        },
      ],
      logged_time: [
        {
          logged_time_id: 'x',
          people_id: 1,
          project_id: 2,
          phase_id: 11,
          task_meta_id: 12,
          date: '2026-01-07',
          hours: 1,
        },
      ],
    });
    onTestFinished(() => other.close());
    const logged = await explainLine(other, catalogues, false, 'a:x');
    expect(logged.steps.find(({ name }) => name === 'parts')).toMatchObject({
      rule: 'D9',
      text: 'The record names phase 11, which is of project 1. The record names project task 12, which is of project 1. The line is of project 2, so it has no phase and no project task: rates, status and billability are those of its own project.',
    });
    const planned = await explainLine(other, catalogues, true, 's:1:1:2026-01-05');
    expect(planned.steps.map(({ name }) => name)).not.toContain('parts');
    expect(planned.steps[0]).toMatchObject({
      rule: 'D2, D3, D6, D7',
      text: "Allocation 1 is on 5 January 2026. The person works by call, in no week of their own, so the company's week decides. The company works on this weekday, and time off doesn't take the whole day.",
    });
  });

  it.each([true, false])(
    'explains an expense of the largest amount (with rates: %s)',
    { tags: ['slow'] },
    async (seesRates) => {
      const project_expenses = [
        { project_expense_id: 1, project_id: 1, date: '2026-01-06', cost: '99999999999', markup: '99900', billable: 1 },
      ];
      const large = await buildCompany({ projects: [{ project_id: 1, name: 'Site' }], project_expenses });
      onTestFinished(() => large.close());
      const { steps } = await explainLine(large, catalogues, seesRates, 'e:1');
      expect(JSON.stringify(steps)).toContain('99999999999000');
    },
  );
});

describe('explaining a line that no work carries', () => {
  const evenly = {
    budget_type: 2,
    budget_total: '310',
    recognise: 'evenly',
    start_date: '2026-01-01',
    end_date: '2026-01-31',
  };
  const done = { budget_type: 2, budget_total: '500', recognise: 'done', end_date: '2026-01-02' };
  const read = async (id: string) => {
    const revenue = await buildCompany({
      projects: [
        { project_id: 1, name: 'Support', ...evenly },
        { project_id: 2, name: 'Rollout', ...done },
      ],
    });
    onTestFinished(() => revenue.close());
    return explainLine(revenue, catalogues, true, id);
  };

  it('K4: says the contract, the agreed fee and the part of the day', { tags: ['slow'] }, async () => {
    const { columns, line, steps } = await read('f:1:0:0:2026-01-05');
    const shown = Object.fromEntries(columns.map(({ name }, index) => [name, line[index]]));
    expect(shown).toMatchObject({ kind: 'revenue', project: 'Support', phase: '(no phase)', person: null, fee: null });
    expect(steps.map(({ name, text }) => [name, text])).toEqual([
      ['day', expect.stringContaining('earned evenly')],
      ['amount', expect.stringContaining('rounded once')],
    ]);
    expect(steps[1]?.facts?.map(({ value }) => plain(value))).toEqual(['310', '10']);
    const { steps: others } = await read('f:2:0:0:2026-01-02');
    expect(others[0]?.text).toContain('when the work is done');
  });

  it.each(['f:1:0:0:2026-02-01', 'f:3:0:0:2026-01-05'])(
    'says that there is no line %s, and the way out',
    async (id) => {
      await expect(read(id)).rejects.toMatchObject({
        code: 'unknown',
        hint: expect.stringContaining('default cutoff'),
      });
    },
  );

  it.each(['f:1:0:0', 'f:1:0:0:yesterday', "f:1:0:0:2026-01-05' OR TRUE"])('refuses %s', async (id) => {
    await expect(read(id)).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('f:PROJECT_ID') });
  });
});
