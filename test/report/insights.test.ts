// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RowInsights } from '../../src/numbers/report/catalogue/table.ts';
import { type Company, openCompany, type Records } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-01', end_date: '2026-04-30', cutoff_date: '2026-02-28' };

// Ada costs 50 and is billed at 100 an hour, Ben at 80 and 100; Cyn has no rate of her own, and a role that has none either.
const [ADA, BEN, CYN] = [1, 2, 3];
const [NO_RATES, PRICED] = [7, 8];

/** The most hours of a day. */
const FULL_DAY = 20;

let lastId = 0;

/** Returns the days from a first one over which hours are spread, full days first. */
function spread(first: string, hours: number): { date: string; hours: string }[] {
  return Array.from({ length: Math.ceil(hours / FULL_DAY) }, (_, index) => ({
    date: new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, first.length),
    hours: Math.min(FULL_DAY, hours - index * FULL_DAY).toFixed(4),
  }));
}

const plan = (project_id: number, hours: number, first = '2026-02-01', more: object = {}) =>
  spread(first, hours).map(({ date, hours }) => {
    lastId += 1;
    return { task_id: lastId, people_id: ADA, project_id, start_date: date, end_date: date, hours, ...more };
  });

const log = (project_id: number, hours: number, first = '2026-02-01', more: object = {}) =>
  spread(first, hours).map(({ date, hours }) => {
    lastId += 1;
    return { logged_time_id: `t${lastId}`, people_id: ADA, project_id, date, hours, ...more };
  });

const PEOPLE: readonly object[] = [
  { people_id: ADA, name: 'Ada', cost_rate: 50, default_hourly_rate: 100 },
  { people_id: BEN, name: 'Ben', cost_rate: 80, default_hourly_rate: 100 },
  { people_id: CYN, name: 'Cyn', role_id: NO_RATES },
];

function companyWith(
  projects: readonly object[],
  tasks: readonly object[],
  logged: readonly object[],
  more: Records = {},
) {
  return openCompany({
    settings: { work_days_hours: [8, 8, 8, 8, 8, 8, 8], currency: 'EUR' },
    people: PEOPLE,
    roles: [
      { role_id: NO_RATES, name: 'Trainee' },
      { role_id: PRICED, name: 'Writer', cost_rate_history: [{ rate: 30 }], default_hourly_rate: 90 },
    ],
    projects,
    tasks,
    logged_time: logged,
    ...more,
  });
}

/** Returns what is said about each row, by its project or phase. */
async function tell(
  company: Company,
  parameters: Readonly<Record<string, string>> = {},
  name = 'projects',
  seesRates = true,
): Promise<Record<string, RowInsights>> {
  const sent = { ...WINDOW, ...parameters, insights: '1' };
  const { rows, told } = await company.report(name, sent, { seesRates });
  return Object.fromEntries(rows.map((row, index) => [String(row['name']), told[index] as RowInsights]));
}

const rulesOf = (told: RowInsights | undefined) => told?.insights.map(({ rule }) => rule);
const textOf = (told: RowInsights | undefined, rule: string) => told?.insights.find((each) => each.rule === rule)?.text;

/** A project with its work; it is asked for by its name. */
interface Case {
  readonly project?: object;
  readonly planned?: readonly object[];
  readonly logged?: readonly object[];
}

/** Makes a company with a project for each case, called by its key. */
function openCases(cases: Readonly<Record<string, (id: number) => Case>>, more: Records = {}): Promise<Company> {
  const made = Object.entries(cases).map(([name, make], index) => ({ name, id: 100 + index, ...make(100 + index) }));
  return companyWith(
    made.map(({ name, id, project }) => ({ project_id: id, name, ...project })),
    made.flatMap(({ planned = [] }) => planned),
    made.flatMap(({ logged = [] }) => logged),
    more,
  );
}

const MONEY = { budget_type: 2, budget_total: 1000 };

describe('budgets', () => {
  let company: Company;
  let told: Record<string, RowInsights>;
  beforeAll(async () => {
    company = await openCases(
      {
        // 10 h at 100 are the whole budget; one more hour passes it on the second day.
        exactly: (id) => ({ project: MONEY, logged: log(id, 10) }),
        passed: (id) => ({ project: MONEY, logged: [...log(id, 10), ...log(id, 1, '2026-02-03', { people_id: BEN })] }),
        'passed before the window': (id) => ({ project: MONEY, logged: [...log(id, 11, '2025-06-01'), ...log(id, 1)] }),
        hours: (id) => ({ project: { budget_type: 1, budget_total: 10 }, logged: log(id, 10.5) }),
        zero: (id) => ({ project: { budget_type: 1, budget_total: 0 }, logged: log(id, 1) }),
        'at risk': (id) => ({
          project: MONEY,
          planned: [...plan(id, 4, '2026-03-02'), ...plan(id, 4, '2026-03-03')],
          logged: log(id, 4),
        }),
        'exactly at the end': (id) => ({ project: MONEY, planned: plan(id, 6, '2026-03-02'), logged: log(id, 4) }),
        'plan of the past': (id) => ({ project: MONEY, planned: plan(id, 11), logged: log(id, 1) }),
        'without fees': (id) => ({ project: MONEY, logged: log(id, 30, '2026-02-01', { people_id: CYN }) }),
        'only expenses': () => ({ project: MONEY }),
      },
      {
        project_expenses: [
          { project_expense_id: 1, project_id: 109, name: 'Trip', date: '2026-02-05', cost: 1200, billable: 1 },
        ],
      },
    );
    told = await tell(company);
  });
  afterAll(() => company.close());

  test('all of a budget used is not passed', () => expect(rulesOf(told['exactly'])).toEqual([]));
  test('one hour more is, since its day', () =>
    expect(textOf(told['passed'], 'budget_passed')).toBe(
      'Over budget since 3 February 2026: 1,100.00 of 1,000.00 EUR (110.00 %), 100.00 too much. The largest part is that of Ada: 1,000.00 EUR.',
    ));
  test('its status is over, for that reason', () =>
    expect(told['passed']?.status).toEqual({
      status: 'over',
      rule: 'budget_passed',
      text: textOf(told['passed'], 'budget_passed'),
    }));
  test('days before the window count', () =>
    expect(textOf(told['passed before the window'], 'budget_passed')).toContain('since 1 June 2025: 1,200.00 of'));
  test('a budget of hours', () =>
    expect(textOf(told['hours'], 'budget_passed')).toBe(
      'Over budget since 1 February 2026: 10.50 of 10.00 hours (105.00 %), 0.50 too much. The largest part is that of Ada: 10.50 hours.',
    ));
  test('a budget of 0 has no percentage', () =>
    expect(textOf(told['zero'], 'budget_passed')).toBe(
      'Over budget since 1 February 2026: 1.00 of 0.00 hours. The largest part is that of Ada: 1.00 hours.',
    ));
  test('the day on which the plan passes it', () => {
    expect(rulesOf(told['at risk'])).toEqual(['budget_at_risk']);
    expect(textOf(told['at risk'], 'budget_at_risk')).toBe(
      'The budget is at risk: the plan passes it on 3 March 2026, with a forecast of 1,200.00 of 1,000.00 EUR (120.00 %).',
    );
  });
  test('a forecast of all of it is no risk', () => expect(rulesOf(told['exactly at the end'])).toEqual([]));
  test('a past plan that exceeds it is not said where the forecast fits', () =>
    expect(rulesOf(told['plan of the past'])).not.toContain('plan_exceeds_budget'));
  test('unknown fees pass nothing', () => expect(rulesOf(told['without fees'])).not.toContain('budget_passed'));
  test('expenses are of nobody, and are of the plan', () => {
    expect(textOf(told['only expenses'], 'budget_passed')).toBe(
      'Over budget since 5 February 2026: 1,200.00 of 1,000.00 EUR (120.00 %), 200.00 too much.',
    );
    expect(rulesOf(told['only expenses'])).toContain('plan_exceeds_budget');
  });
});

describe('plans', () => {
  let company: Company;
  let told: Record<string, RowInsights>;
  beforeAll(async () => {
    company = await openCases({
      'exactly 10 %': (id) => ({ planned: plan(id, 200), logged: log(id, 220) }),
      'below 10 %': (id) => ({ planned: plan(id, 200), logged: log(id, 219.9999) }),
      'rounded to 10 %': (id) => ({ planned: plan(id, 300), logged: log(id, 329.99) }),
      'exactly 20 h': (id) => ({ planned: plan(id, 100), logged: log(id, 120) }),
      'below 20 h': (id) => ({ planned: plan(id, 100), logged: log(id, 119.9999) }),
      'exactly 10 % less': (id) => ({ planned: plan(id, 200, '2026-01-20'), logged: log(id, 180) }),
      'above 10 % less': (id) => ({ planned: plan(id, 200), logged: log(id, 180.0001) }),
      'more cost': (id) => ({ planned: plan(id, 220), logged: log(id, 240, '2026-02-01', { people_id: BEN }) }),
      'nothing planned': (id) => ({ logged: log(id, 20) }),
      'nothing planned, little': (id) => ({ logged: log(id, 19.9999) }),
      tentative: (id) => ({ planned: plan(id, 30, '2026-02-01', { status: 1 }), logged: log(id, 30) }),
      'nothing logged': (id) => ({ planned: plan(id, 15, '2026-02-25') }),
      'as planned': (id) => ({ planned: plan(id, 40), logged: log(id, 40) }),
      'no end': (id) => ({ planned: plan(id, 40), logged: log(id, 40) }),
      'late work': (id) => ({
        project: { end_date: '2026-02-10' },
        planned: plan(id, 8, '2026-03-09'),
        logged: [...log(id, 8, '2026-02-10'), ...log(id, 2, '2026-02-11')],
      }),
      'late plan': (id) => ({
        project: { end_date: '2026-02-10' },
        planned: plan(id, 8, '2026-02-11'),
        logged: log(id, 8, '2026-02-10'),
      }),
      'on its last day': (id) => ({
        project: { end_date: '2026-02-10' },
        planned: plan(id, 8, '2026-02-10'),
        logged: log(id, 8, '2026-02-10'),
      }),
    });
    told = await tell(company);
  });
  afterAll(() => company.close());

  test.each(['exactly 10 %', 'exactly 20 h'])('%s more is above plan', (name) =>
    expect(rulesOf(told[name])).toEqual(['above_plan']),
  );
  test.each(['below 10 %', 'rounded to 10 %', 'below 20 h', 'above 10 % less', 'as planned'])('%s is on plan', (name) =>
    expect(told[name]?.status?.status).toBe('on_plan'),
  );
  test('exactly 10 % less is below plan, which is no status', () => {
    expect(rulesOf(told['exactly 10 % less'])).toEqual(['missing_time', 'below_plan']);
    expect(told['exactly 10 % less']?.status).toBeNull();
    expect(textOf(told['exactly 10 % less'], 'below_plan')).toBe(
      'Below plan: 180.00 h of 200.00 h scheduled to date, 20.00 h less (10.00 %). The largest part is that of Ada: -20.00 h; by month, that of January 2026: -200.00 h.',
    );
  });
  test('the person and the month with the largest part', () =>
    expect(textOf(told['exactly 20 h'], 'above_plan')).toBe(
      'Above plan: 120.00 h of 100.00 h scheduled to date, 20.00 h more (20.00 %). The largest part is that of Ada: 20.00 h; by month, that of February 2026: 20.00 h.',
    ));
  test('cost, where the hours alone are not enough', () =>
    expect(textOf(told['more cost'], 'above_plan')).toBe(
      'Labour cost is above plan: 19,200.00 of 11,000.00 EUR scheduled to date, 8,200.00 more (74.55 %), with 20.00 h more. The largest part is that of Ben: 19,200.00 EUR; by month, that of February 2026: 8,200.00 EUR.',
    ));
  test('nothing planned is said as that', () =>
    expect(textOf(told['nothing planned'], 'above_plan')).toBe(
      'Nothing was planned to date, and 20.00 h are logged. Most were logged by Ada: 20.00 h; in February 2026: 20.00 h.',
    ));
  test('a tentative plan is named', () =>
    expect(textOf(told['tentative'], 'above_plan')).toContain('30.00 h are logged; 30.00 h are tentative.'));
  test('a little without a plan says nothing, not even on plan', () =>
    expect(told['nothing planned, little']).toEqual({ insights: [], status: null }));
  test('time that is missing is said, which is no status', () => {
    expect(textOf(told['nothing logged'], 'missing_time')).toBe(
      '15.00 h are missing, of days up to 25 February 2026. Most of them are those of Ada: 15.00 h.',
    );
    expect(rulesOf(told['nothing logged'])).toEqual(['missing_time']);
    expect(told['nothing logged']?.status).toBeNull();
  });
  test('hours after the end of the project', () => {
    expect(textOf(told['late work'], 'ends_beyond_plan')).toBe(
      'Beyond the end of the project, 10 February 2026: 2.00 h logged and 8.00 h scheduled.',
    );
    expect(textOf(told['late plan'], 'ends_beyond_plan')).toBe(
      'Beyond the end of the project, 10 February 2026: 8.00 h scheduled.',
    );
    expect(rulesOf(told['on its last day'])).toEqual(['on_plan']);
  });
});

describe('timesheets', () => {
  const silent = async (lastDay: string | undefined, planned: string) => {
    const company = await openCases({
      it: (id) => ({
        planned: [...plan(id, 8, planned), ...plan(id, 5, planned, { people_id: BEN })],
        logged: lastDay ? log(id, 1, lastDay) : [],
      }),
    });
    try {
      return textOf((await tell(company))['it'], 'no_actuals_since');
    } finally {
      await company.close();
    }
  };
  test('7 days before the cutoff are not yet said', { tags: ['slow'] }, async () =>
    expect(await silent('2026-02-21', '2026-02-25')).toBeUndefined(),
  );
  test('8 days are', { tags: ['slow'] }, async () =>
    expect(await silent('2026-02-20', '2026-02-25')).toBe(
      'No time is logged since 20 February 2026, while 13.00 h were scheduled to date. Most of them for Ada: 8.00 h.',
    ),
  );
  test('but not if nothing was scheduled since', { tags: ['slow'] }, async () =>
    expect(await silent('2026-02-20', '2026-02-20')).toBeUndefined(),
  );
  test('the last day may be before the window', { tags: ['slow'] }, async () =>
    expect(await silent('2025-12-01', '2026-01-05')).toContain('since 1 December 2025'),
  );
  test('never anything', { tags: ['slow'] }, async () =>
    expect(await silent(undefined, '2026-02-20')).toBe(
      'No time is logged, while 13.00 h were scheduled to date. Most of them for Ada: 8.00 h.',
    ),
  );
  test('nothing is on plan while hours are missing', { tags: ['slow'] }, async () => {
    const withMissing = (day: string) => (id: number) => ({
      planned: [...plan(id, 8, '2026-02-26'), ...plan(id, 1, day, { people_id: BEN })],
      logged: log(id, 8, '2026-02-26'),
    });
    // Everybody works on all days, so the third last day up to the cutoff is the 26th.
    const company = await openCases({ it: withMissing('2026-02-26') });
    const earlier = await openCases({ it: withMissing('2026-02-25') });
    try {
      expect((await tell(company))['it']?.status?.status).toBe('on_plan');
      expect((await tell(earlier))['it']).toEqual({ insights: [], status: null });
    } finally {
      await company.close();
      await earlier.close();
    }
  });
});

describe('rates', () => {
  let company: Company;
  beforeAll(async () => {
    company = await openCases({
      logged: (id) => ({
        planned: plan(id, 6, '2026-02-01', { people_id: CYN }),
        logged: log(id, 6, '2026-02-01', { people_id: CYN }),
      }),
      // Her role in the team has rates, which the rules use for her fees, not for her cost.
      team: (id) => ({
        project: { project_team: [{ people_id: CYN, role_id: PRICED }] },
        planned: plan(id, 6, '2026-02-01', { people_id: CYN }),
        logged: log(id, 6, '2026-02-01', { people_id: CYN }),
      }),
      scheduled: (id) => ({ planned: plan(id, 6, '2026-03-01', { people_id: CYN }) }),
      passed: (id) => ({
        project: MONEY,
        planned: plan(id, 220),
        logged: log(id, 240, '2026-02-01', { people_id: BEN }),
      }),
    });
  });
  afterAll(() => company.close());

  test('hours without rates, of whom', async () => {
    const { logged, scheduled } = await tell(company);
    expect(logged?.insights.map(({ text }) => text)).toEqual([
      '6.00 logged hours have no cost rate, most of them those of Cyn: 6.00 h.',
      '6.00 logged hours have no bill rate, most of them those of Cyn: 6.00 h.',
    ]);
    expect(scheduled?.insights.map(({ text }) => text)).toEqual([
      '6.00 scheduled hours have no cost rate, most of them those of Cyn: 6.00 h.',
      '6.00 scheduled hours have no bill rate, most of them those of Cyn: 6.00 h.',
    ]);
    expect(logged?.status).toBeNull();
  });
  test("an estimate at their role's rate, marked as one", async () => {
    const { team } = await tell(company);
    expect(textOf(team, 'unpriced')).toBe(
      '6.00 logged hours have no cost rate, most of them those of Cyn: 6.00 h. At the cost rates of their roles, 6.00 h of them would cost 180.00 EUR (an estimate).',
    );
  });
  test('readers without the scope rates see neither estimates nor cost', async () => {
    const told = await tell(company, {}, 'projects', false);
    expect(textOf(told['team'], 'unpriced')).toBe(
      '6.00 logged hours have no cost rate, most of them those of Cyn: 6.00 h.',
    );
    expect(JSON.stringify(told)).not.toMatch(/actual_cost|variance_cost|estimate|Labour cost|19,200|19200/);
    expect(rulesOf(told['passed'])).toEqual([
      ...['budget_passed', 'plan_exceeds_budget', 'fees_beyond_agreed', 'missing_time'],
    ]);
  });
});

test.each([
  ['JPY', '1,100 of 1,000 JPY (110.00 %), 100 too much'],
  ['KWD', '1,100.000 of 1,000.000 KWD (110.00 %), 100.000 too much'],
])('amounts have the minor units of %s', { tags: ['slow'] }, async (currency, words) => {
  const settings = { work_days_hours: [8, 8, 8, 8, 8, 8, 8], currency };
  const company = await openCases({ it: (id) => ({ project: MONEY, logged: log(id, 11) }) }, { settings });
  try {
    expect(textOf((await tell(company))['it'], 'budget_passed')).toContain(words);
  } finally {
    await company.close();
  }
});

test('each shown number stands at its place, with its query', { tags: ['slow'] }, async () => {
  const company = await openCases({ it: (id) => ({ project: MONEY, logged: log(id, 31) }) });
  try {
    const insights = (await tell(company, { status: 'confirmed' }))['it']?.insights ?? [];
    expect(insights.length).toBe(3);
    for (const { text, numbers } of insights) {
      for (const { at, shown, query } of numbers) {
        expect(text.slice(at, at + shown.length)).toBe(shown);
        expect(query).toMatch(/^\/v3\/reports\/lines\?report=projects&.*measure=/);
      }
    }
  } finally {
    await company.close();
  }
});

describe('a fixed fee that is earned at its end', () => {
  let company: Company;
  let told: Record<string, RowInsights>;
  beforeAll(async () => {
    // An hour of Ada costs 50.00: 60 h are 2,000.00 more than the fee.
    const done = (end_date: string) => ({ contract: 'fixed', budget_total: 1000, recognise: 'done', end_date });
    company = await openCases({
      'to come': (id) => ({ project: done('2026-03-31'), logged: log(id, 60) }),
      'past its end, with work left': (id) => ({
        project: done('2026-02-10'),
        planned: plan(id, 8, '2026-03-09'),
        logged: log(id, 60),
      }),
      ended: (id) => ({ project: done('2026-02-10'), logged: log(id, 60) }),
      canceled: (id) => ({ project: { ...done('2026-03-31'), status: 4 }, logged: log(id, 60) }),
    });
    told = await tell(company);
  });
  afterAll(() => company.close());

  test.each([
    ['to come', false],
    ['past its end, with work left', false],
    ['ended', true],
    ['canceled', true],
  ])('is a loss if it is %s: %s (K6)', (name, isLoss) => expect(rulesOf(told[name])?.includes('loss')).toBe(isLoss));
});

describe('internal work', () => {
  let company: Company;
  beforeAll(async () => {
    company = await openCases(
      {
        // 30 h of Ada cost 1,500 and earn nothing; a client's project with the same work and no rate loses as much.
        internal: (id) => ({ project: { non_billable: true }, planned: plan(id, 30), logged: log(id, 30) }),
        'internal, unplanned': (id) => ({
          project: { non_billable: true },
          logged: log(id, 25, '2026-02-01', { people_id: BEN }),
        }),
        'only expenses': () => ({ project: { non_billable: true } }),
        client: (id) => ({ project: { default_hourly_rate: 0 }, planned: plan(id, 30), logged: log(id, 30) }),
        phased: (id) => ({ logged: log(id, 30, '2026-02-01', { phase_id: 9 }) }),
      },
      {
        phases: [{ phase_id: 9, project_id: 104, name: 'Warranty', non_billable: true }],
        project_expenses: [{ project_expense_id: 1, project_id: 102, name: 'Fair', date: '2026-02-05', cost: 5000 }],
      },
    );
  });
  afterAll(() => company.close());

  test('is no loss, in no sentence, status, count or order; that of a client is (K6)', { tags: ['slow'] }, async () => {
    const told = await tell(company);
    expect(rulesOf(told['internal'])).toEqual(['on_plan']);
    expect(rulesOf(told['only expenses'])).toEqual([]);
    expect(rulesOf(told['client'])).toEqual(['loss']);
    expect(rulesOf(told['phased'])).toEqual(['loss', 'above_plan']);
    const { table } = await company.report('projects', { ...WINDOW, insights: '1' });
    expect(table.meta.insights?.statuses).toEqual({ over: 0, at_risk: 3, on_plan: 1, none: 1 });
    expect(table.meta.insights?.worst.filter(({ rule }) => rule === 'loss').map(({ label }) => label)).toEqual([
      ...['client', 'phased'],
    ]);
  });
  test('is judged by its hours all the same', async () =>
    expect(rulesOf((await tell(company))['internal, unplanned'])).toEqual(['above_plan']));
  test('a phase that is never billed is internal work', async () => {
    const { Warranty } = await tell(company, {}, 'phases');
    expect(rulesOf(Warranty)).toEqual(['above_plan']);
  });
  test('stands in one sentence about all rows, with cost for readers of rates alone, whose numbers open their lines', {
    tags: ['slow'],
  }, async () => {
    const tellAll = async (name: string, seesRates = true) => {
      const { table } = await company.report(name, { ...WINDOW, insights: '1' }, { seesRates });
      return table.meta.insights?.overall ?? [];
    };
    const [internal] = await tellAll('projects');
    expect(internal?.text).toBe('Internal work: 55.00 h, 3,500.00 EUR.');
    expect((await tellAll('projects', false)).map(({ text }) => text)).toEqual(['Internal work: 55.00 h.']);
    expect((await tellAll('phases')).map(({ text }) => text)).toEqual(['Internal work: 85.00 h, 5,000.00 EUR.']);
    for (const { query, value } of internal?.numbers ?? []) {
      const sent = Object.fromEntries(new URLSearchParams(query?.split('?')[1]));
      const { totals } = await company.report('lines', sent);
      expect(Number(totals['contribution'])).toBe(Number(value));
    }
  });
});

test('internal work whose cost is known in part says how much isn’t', { tags: ['slow'] }, async () => {
  const company = await openCases(
    {
      some: (id) => ({
        project: { non_billable: true },
        logged: [...log(id, 30), ...log(id, 4, '2026-02-01', { people_id: 3 })],
      }),
    },
    {
      people: [
        { people_id: 1, name: 'Ada', cost_rate: 50 },
        { people_id: 3, name: 'Cy' },
      ],
    },
  );
  try {
    const { table } = await company.report('projects', { ...WINDOW, insights: '1' });
    expect(table.meta.insights?.overall.map(({ text }) => text)).toEqual([
      'Internal work: 34.00 h, 1,500.00 EUR. 4.00 h of it have no cost rate.',
    ]);
  } finally {
    await company.close();
  }
});

test('internal work whose cost is unknown costs nothing beside it (R3)', { tags: ['slow'] }, async () => {
  const project = { non_billable: true };
  const company = await openCases(
    {
      unpriced: (id) => ({ project, logged: log(id, 30, '2026-02-01', { people_id: 3 }) }),
      unused: () => ({ project }),
    },
    { people: [{ people_id: 3, name: 'Cy' }] },
  );
  try {
    const { table } = await company.report('projects', { ...WINDOW, insights: '1' });
    expect(table.meta.insights?.overall.map(({ text }) => text)).toEqual(['Internal work: 30.00 h.']);
  } finally {
    await company.close();
  }
});

test('the worst rows come first, and every row has a status', { tags: ['slow'] }, async () => {
  const company = await openCases({
    late: (id) => ({ planned: plan(id, 20), logged: log(id, 60) }),
    later: (id) => ({ planned: plan(id, 20), logged: log(id, 80) }),
    over: (id) => ({ project: MONEY, logged: log(id, 11) }),
    fine: (id) => ({ planned: plan(id, 20), logged: log(id, 20) }),
    odd: (id) => ({ logged: log(id, 1) }),
  });
  try {
    const { table } = await company.report('projects', { ...WINDOW, insights: '1', fields: 'name', 'per-page': '1' });
    expect(table.columns.map(({ name }) => name)).toEqual(['name']);
    expect(table.meta.insights?.statuses).toEqual({ over: 1, at_risk: 2, on_plan: 1, none: 1 });
    expect(table.meta.insights?.worst.map(({ label, rule }) => [label, rule])).toEqual([
      ['over', 'budget_passed'],
      ['later', 'above_plan'],
      ['late', 'above_plan'],
      ['over', 'fees_beyond_agreed'],
    ]);
  } finally {
    await company.close();
  }
});

test('the largest of a rule comes first, whatever its sentence is about', { tags: ['slow'] }, async () => {
  const late = (hours: number) => (id: number) => ({
    project: { end_date: '2026-02-10' },
    planned: plan(id, 8, '2026-02-10'),
    logged: [...log(id, 8, '2026-02-10'), ...log(id, hours, '2026-02-11')],
  });
  const company = await openCases({
    'much planned': (id) => ({ project: { end_date: '2026-02-10' }, planned: plan(id, 8, '2026-03-09') }),
    'little logged': late(2),
    'much logged': late(11),
    'few hours of somebody without rates': (id) => ({ planned: plan(id, 3, '2026-03-01', { people_id: CYN }) }),
    'more hours of somebody without rates': (id) => ({ planned: plan(id, 4, '2026-03-01', { people_id: CYN }) }),
  });
  try {
    const { table } = await company.report('projects', { ...WINDOW, insights: '1' });
    const worst = table.meta.insights?.worst ?? [];
    const labels = (name: string) => worst.filter(({ rule }) => rule === name).map(({ label }) => label);
    expect(labels('ends_beyond_plan')).toEqual(['much logged', 'much planned', 'little logged']);
    expect(labels('unpriced').map((label) => label.split(' ')[0])).toEqual(['more', 'more', 'few', 'few']);
  } finally {
    await company.close();
  }
});

test('on plan says of what its percentage is', { tags: ['slow'] }, async () => {
  const company = await openCases({ it: (id) => ({ planned: plan(id, 100), logged: log(id, 95) }) });
  try {
    expect(textOf((await tell(company))['it'], 'on_plan')).toBe(
      'On plan: 95.00 h of 100.00 h scheduled to date (a variance of -5.00 % of the plan).',
    );
  } finally {
    await company.close();
  }
});

test('phases have sentences of their own', { tags: ['slow'] }, async () => {
  const company = await openCases(
    {
      it: (id) => ({
        project: { budget_type: 1, budget_priority: 1 },
        logged: log(id, 11, '2026-02-01', { phase_id: 9 }),
      }),
    },
    { phases: [{ phase_id: 9, project_id: 100, name: 'Design', budget_total: 10 }] },
  );
  try {
    expect(textOf((await tell(company, {}, 'phases'))['Design'], 'budget_passed')).toContain('11.00 of 10.00 hours');
  } finally {
    await company.close();
  }
});
