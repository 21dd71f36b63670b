import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import { type Database, openDatabase } from '../../../src/base/database/database.ts';
import type { AppError } from '../../../src/base/error.ts';
import { writeXlsx } from '../../../src/numbers/write/xlsx/write.ts';
import { readWorkbook, runReport } from '../../reports.ts';
import { type Company, catalogue, loadCompany, openCompany, type Records } from '../../sql/company.ts';

/** Returns one of two disjoint parts of a company, which differ in ids and rates. */
function part(id: number, rate: string): Records {
  const billable = id === 1 ? 1 : 0;
  return {
    departments: [{ department_id: id, name: `Department ${id}` }],
    clients: [{ client_id: id, name: `Client ${id}` }],
    accounts: [{ account_id: id, name: `Account ${id}` }],
    roles: [{ role_id: id, name: `Role ${id}` }],
    people: [
      {
        people_id: id,
        name: `Person ${id}`,
        department_id: id,
        role_id: id,
        people_type_id: id === 1 ? 1 : 2,
        cost_rate: rate,
        default_hourly_rate: rate,
        tags: [`person-${id}`],
        active: billable,
      },
    ],
    projects: [
      {
        project_id: id,
        name: `Project ${id}`,
        client_id: id,
        project_manager: id,
        tags: [`project-${id}`],
        status: id === 1 ? 2 : 1,
        active: billable,
        non_billable: 1 - billable,
      },
    ],
    phases: [{ phase_id: id, project_id: id, name: `Phase ${id}` }],
    project_tasks: [{ task_meta_id: id, project_id: id, phase_id: id, task_name: `Task ${id}`, billable }],
    tasks: [
      {
        task_id: id,
        project_id: id,
        phase_id: id,
        people_id: id,
        task_meta_id: id,
        start_date: '2026-01-05',
        end_date: '2026-01-09',
        hours: 7.5,
      },
    ],
    logged_time: [
      {
        logged_time_id: `l${id}`,
        people_id: id,
        project_id: id,
        phase_id: id,
        task_meta_id: id,
        date: '2026-01-05',
        hours: `3.${id}25`,
        billable,
      },
    ],
    project_expenses: [{ project_expense_id: id, project_id: id, date: '2026-01-07', cost: rate, billable }],
  };
}

const ONE = part(1, '61.37');
const OTHER = part(10, '8269.4711');

/** Every filter, with a value that selects exactly the first part. */
const FILTERS: Readonly<Record<string, string>> = {
  project_id: '1',
  phase_id: '1',
  people_id: '1',
  client_id: '1',
  department_id: '1',
  role_id: '1',
  person_role_id: '1',
  task_meta_id: '1',
  people_type_id: '1',
  project_status: 'confirmed',
  contract: '1',
  project_manager: '1',
  tag: 'project-1',
  also_tag: 'project-1',
  people_tag: 'person-1',
  billable: '1',
  active: '1',
  people_active: '1',
};

/** Filters that never match an expense, which has neither a person nor a phase. */
const LABOR_FILTERS = new Set([
  'phase_id',
  'people_id',
  'department_id',
  'role_id',
  'person_role_id',
  'task_meta_id',
  'people_type_id',
  'people_tag',
  'people_active',
]);

/** Returns true if a filter needs labor lines; in the people report `active` is the person's. */
function isLaborFilter(report: string, name: string): boolean {
  return LABOR_FILTERS.has(name) || (report === 'people' && name === 'active');
}

const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31', cutoff_date: '2026-01-31' };

let both: Company;
let one: Company;
let workOnly: Company;
let file: string;
let remove = () => {};

beforeAll(async () => {
  const all = Object.fromEntries(
    Object.keys(ONE).map((name) => [name, [...(ONE[name as 'people'] ?? []), ...(OTHER[name as 'people'] ?? [])]]),
  );
  both = await openCompany(all);
  one = await openCompany(ONE);
  workOnly = await openCompany({ ...ONE, project_expenses: [] });
  ({ file, remove } = await loadCompany(all));
});
afterAll(async () => {
  await Promise.all([both, one, workOnly].map((company) => company.close()));
  remove();
});

it('every filter of every report is covered', () => {
  const filters = [...catalogue.parameters.values()].filter(({ filter }) => filter).map(({ name }) => name);
  expect(Object.keys(FILTERS).sort()).toEqual(filters.sort());
});

describe.each(['projects', 'phases', 'people', 'tasks', 'pivot'])('the checks of the report %s', (report) => {
  const parameters = report === 'pivot' ? { ...WINDOW, group_by: 'person' } : WINDOW;
  const { without } = catalogue.reports.get(report) ?? {};
  const filters = Object.entries(FILTERS).filter(([name]) => !without?.includes(name));
  it.each(filters)('by %s %s equal those of a company that has nothing else', async (name, value) => {
    const filtered = (await both.report(report, { ...parameters, [name]: value })).table.meta.checks;
    const alone = (await (isLaborFilter(report, name) ? workOnly : one).report(report, parameters)).table.meta.checks;
    const expected = alone.map(({ check, ok, words, ...numbers }) =>
      check.startsWith('logged hours') ? { check, ok, words } : { check, ok, words, ...numbers },
    );
    expect(filtered).toEqual(expected);
  });

  it('have both numbers for the whole company', async () => {
    const { checks } = (await both.report(report, parameters)).table.meta;
    expect(checks.every(({ left, right, ok }) => left !== undefined && right !== undefined && ok)).toBe(true);
  });
});

async function readTotals({ rows }: Company): Promise<string[]> {
  const found = await rows(`
    SELECT CAST(SUM(cost) AS VARCHAR) AS cost, CAST(SUM(fee) AS VARCHAR) AS fee, CAST(SUM(hours) AS VARCHAR) AS hours
    FROM marts.ledger CROSS JOIN (VALUES (0), (1), (2)) AS parts (part)
    WHERE part = 0 OR kind = 'actual' OR (part = 1 AND kind <> 'expense') GROUP BY part`);
  return found.flatMap((row) => Object.values(row).map(String));
}

it.each([true, false])(
  'a workbook of one project shows no total of the company (with rates: %s)',
  async (seesRates) => {
    const database = await openDatabase(file, { readOnly: true });
    const workbook = await readWorkbook(database, catalogue, 'projects', { ...WINDOW, project_id: '1' }, { seesRates });
    const pieces: Uint8Array[] = [];
    for await (const piece of writeXlsx(workbook)) pieces.push(piece);
    const text = [...unzip(Buffer.concat(pieces)).values()].join('\n');
    await database.close();
    const [ofCompany, ofProject] = await Promise.all([both, one].map(readTotals));
    const strange = ofCompany?.filter((number) => number.includes('.') && !ofProject?.includes(number)) ?? [];
    expect(strange.length).toBeGreaterThan(4);
    expect(strange.filter((number) => text.includes(`<v>${number}</v>`))).toEqual([]);
    expect(text.includes('Logged hours in the window: source records against ledger lines')).toBe(true);
  },
);

it('a workbook reads the tie-outs of its window once, and those of its two periods of comparison', async () => {
  const database = await openDatabase(file, { readOnly: true });
  let count = 0;
  const rows: Database['rows'] = (sql, ...more) => {
    if (sql.includes('AS input_hours FROM core.logged_hours')) count += 1;
    return database.rows(sql, ...more);
  };
  const workbook = await readWorkbook({ ...database, rows }, catalogue, 'projects', WINDOW);
  await database.close();
  const names = workbook.sheets.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Projects', 'Phases', 'Months']));
  expect(count).toBe(3);
});

it('a failed check of the whole company is reported in a filtered report, with its numbers only in the log', async () => {
  const database = await openDatabase(file);
  await database.run(`UPDATE source.logged_time SET hours = hours + 0.4321 WHERE logged_time_id = 'l10'`);
  await database.close();
  const broken = await openDatabase(file, { readOnly: true });
  const errors = await Promise.all(
    [{ project_id: '1' }, {}].map((filter) =>
      runReport(broken, catalogue, 'projects', { ...WINDOW, ...filter }).catch((error: unknown) => error),
    ),
  );
  await broken.close();
  const [filtered, whole] = errors as AppError[];
  expect(filtered).toMatchObject({ code: 'check', evidence: '6.6596 against 6.2275' });
  expect(filtered?.message).toBe(
    'The report does not tie out (logged hours in the window: source records, ledger lines)',
  );
  expect(whole?.message).toContain(': 6.6596 against 6.2275');
});
