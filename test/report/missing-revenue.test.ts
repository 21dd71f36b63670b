import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Company, openCompany } from '../sql/company.ts';

// Hours are worth 100.00 each. August 2026 begins on a Saturday.
const CUTOFF = '2026-08-31';
const WINDOW = { start_date: '2026-01-01', end_date: '2026-12-31', cutoff_date: CUTOFF };
const FIXED = { contract: 'fixed', budget_total: '1000' };

/** A project: what its contract says, its logged hours, and its scheduled ones by day. Days that are scheduled and past are missing. */
interface Case {
  readonly project: object;
  readonly logged?: number;
  readonly planned: Readonly<Record<string, number>>;
  readonly billed?: string;
}

const [FIRST, SECOND, LATER] = ['2026-08-03', '2026-08-04', '2026-09-15'];

const CASES = {
  'by hours': { project: FIXED, logged: 30, planned: { [FIRST]: 5, [LATER]: 10 } },
  'by hours, over two days': { project: FIXED, logged: 30, planned: { [FIRST]: 2, [SECOND]: 3, [LATER]: 10 } },
  'as used': { project: FIXED, logged: 7, planned: { [FIRST]: 2, [SECOND]: 3 } },
  'used up': { project: FIXED, logged: 12, planned: { [FIRST]: 2 } },
  'used by an expense, too': { project: FIXED, logged: 3, planned: { [FIRST]: 5 }, billed: '400' },
  'at its end': { project: { ...FIXED, end_date: '2026-08-10' }, logged: 3, planned: { [FIRST]: 2 } },
  evenly: {
    project: { ...FIXED, recognise: 'evenly', start_date: FIRST, end_date: LATER },
    logged: 3,
    planned: { [FIRST]: 2 },
  },
  done: { project: { ...FIXED, recognise: 'done' }, planned: { [FIRST]: 2, [LATER]: 2 } },
  milestones: { project: { ...FIXED, recognise: 'milestones' }, planned: { [FIRST]: 2, [LATER]: 2 } },
  capped: { project: { contract: 'capped', budget_total: '1000' }, logged: 8, planned: { [FIRST]: 1, [SECOND]: 4 } },
  time: { project: { contract: 'time' }, logged: 8, planned: { [FIRST]: 1, [SECOND]: 4 } },
  internal: { project: { contract: 'internal' }, logged: 8, planned: { [FIRST]: 1 } },
} satisfies Record<string, Case>;

const NAMES = Object.keys(CASES);

function makeCompany(): Parameters<typeof openCompany>[0] {
  const cases = NAMES.map((name, index) => ({ id: index + 1, name, ...(CASES[name as keyof typeof CASES] as Case) }));
  return {
    settings: { currency: 'EUR' },
    people: cases.map(({ id }) => ({ people_id: id, name: `Person ${id}`, cost_rate: '50' })),
    projects: cases.map(({ id, name, project }) => ({ project_id: id, name, default_hourly_rate: '100', ...project })),
    tasks: cases.flatMap(({ id, planned }) =>
      Object.entries(planned).map(([day, hours], index) => ({
        task_id: id * 10 + index,
        ...{ people_id: id, project_id: id, start_date: day, end_date: day, hours },
      })),
    ),
    logged_time: cases.flatMap(({ id, logged = 0 }) =>
      ['2026-08-05', '2026-08-06'].map((date) => ({
        logged_time_id: `${id} ${date}`,
        ...{ people_id: id, project_id: id, date, hours: logged / 2 },
      })),
    ),
    project_expenses: cases.flatMap(({ id, billed }) =>
      billed === undefined
        ? []
        : [{ project_expense_id: id, project_id: id, name: 'Train', date: FIRST, cost: billed, billable: 1 }],
    ),
  };
}

let company: Company;

beforeAll(async () => {
  company = await openCompany(makeCompany());
});

afterAll(() => company.close());

/** Returns the missing revenue of the projects, by day. */
async function missing(sent: Readonly<Record<string, string>> = {}) {
  const asked = { ...WINDOW, group_by: 'project,day', measures: 'missing_revenue', ...sent };
  const { rows } = await company.report('pivot', asked);
  const found: Record<string, string[]> = {};
  for (const { project, day, missing_revenue: amount } of rows)
    if (amount !== '0') found[String(project)] = [...(found[String(project)] ?? []), `${day}: ${amount}`];
  return found;
}

it('is what the missing hours would earn if they were logged as planned (K7)', async () => {
  expect(await missing()).toEqual({
    // 1,000 x 35/45 - 1,000 x 30/40.
    'by hours': [`${FIRST}: 27.78`],
    'by hours, over two days': [`${FIRST}: 11.11`, `${SECOND}: 16.67`],
    // 300.00 of 500.00 are left of the fee, by 2 and 3 of 5 hours.
    'as used': [`${FIRST}: 120`, `${SECOND}: 180`],
    'used by an expense, too': [`${FIRST}: 300`],
    capped: [`${FIRST}: 100`, `${SECOND}: 100`],
    time: [`${FIRST}: 100`, `${SECOND}: 400`],
  });
});

it('adds up over windows and groups, beside what is earned', async () => {
  const measures = 'missing_revenue,missing_fees,missing_hours,actual_revenue';
  // A line has a further row for what the plan earns with it.
  for (const asked of [measures, `${measures},scheduled_revenue`]) {
    const { totals } = await company.report('pivot', { ...WINDOW, group_by: 'project', measures: asked });
    expect(totals).toMatchObject({ missing_revenue: '1355.56', missing_fees: '4000', missing_hours: '41' });
  }
  const days = [
    { start_date: '2026-08-01', end_date: FIRST },
    { start_date: SECOND, end_date: '2026-08-31' },
  ];
  const [first, second] = [await missing(days[0]), await missing(days[1])];
  expect([first, second].map((each) => each['by hours, over two days'])).toEqual([
    [`${FIRST}: 11.11`],
    [`${SECOND}: 16.67`],
  ]);
  const one = await company.report('pivot', { ...WINDOW, group_by: 'person,month', measures, project_id: '2' });
  expect(one.totals).toMatchObject({ missing_revenue: '27.78' });
});

it('opens into its lines, with subtotals and in the reports that name it', async () => {
  const lines = await company.report('lines', { ...WINDOW, measure: 'missing_revenue', project_id: '2' });
  expect(lines.rows.map(({ line_id, contribution }) => [line_id, contribution])).toEqual([
    [`s:20:2:${FIRST}`, '11.11'],
    [`s:21:2:${SECOND}`, '16.67'],
  ]);
  const sheets = await company.report('timesheets', { ...WINDOW, interval: 'none', fields: 'name,missing_revenue' });
  expect(sheets.totals).toMatchObject({ missing_revenue: '1355.56' });
  const across = { group_by: 'project,person', columns: 'month', subtotals: '1', measures: 'missing_revenue' };
  const { totals } = await company.report('pivot', { ...WINDOW, ...across });
  expect(Object.values(totals)).toContain('1355.56');
});
