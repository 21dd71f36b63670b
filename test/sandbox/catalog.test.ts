import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { RUNS } from '../../src/doors/deliver/runs-relation.ts';
import { openSandbox, type Sandbox } from '../../src/doors/sandbox/sandbox.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { type LoadedCompany, loadBundled, REVEALS_COST } from '../sql/company.ts';

let company: LoadedCompany;
let sandbox: Sandbox;
let database: Database;

beforeAll(async () => {
  company = await loadBundled();
  sandbox = openSandbox(fileWithoutRates(company.file), {
    schemas: ['marts', 'reports'],
    size: 1,
    relations: [RUNS],
  });
  database = await openDatabase(fileWithoutRates(company.file), { readOnly: true });
});

afterAll(async () => {
  await sandbox.close();
  await database.close();
  company.remove();
});

const read = async (sql: string) => (await sandbox.query({ sql })).rows;

it.each(['SHOW TABLES', 'show all tables;', 'DESCRIBE'])(
  '%s lists the marts, the macros and what no file has, with their meaning',
  async (sql) => {
    const rows = await read(sql);
    const names = await database.rows<{ name: string }>(`
    SELECT DISTINCT schema_name || '.' || table_name AS name FROM duckdb_columns() WHERE schema_name = 'marts'
    UNION SELECT schema_name || '.' || function_name FROM duckdb_functions() WHERE schema_name = 'reports'
    ORDER BY name`);
    expect(rows.map(([name]) => name)).toEqual(['deliveries.runs', ...names.map(({ name }) => name), 'states']);
    expect(rows.filter(([, description]) => !String(description).endsWith('.'))).toEqual([]);
  },
);

it('marts.catalog describes each column and each parameter, and no cost in the copy without rates', async () => {
  const rows = await read('SELECT relation, kind, name, description FROM marts.catalog ORDER BY relation, position');
  const columns = await database.rows<{ column: string }>(`
    SELECT table_name || '.' || column_name AS column FROM duckdb_columns() WHERE schema_name = 'marts'
    ORDER BY table_name, column_index`);
  const listed = rows.filter(([, kind]) => kind === 'column').map(([relation, , name]) => `${relation}.${name}`);
  expect(listed).toEqual(columns.map(({ column }) => `marts.${column}`));
  expect(listed.filter((name) => REVEALS_COST.test(name))).toEqual([]);
  expect(rows.filter(([, , , description]) => !String(description).endsWith('.'))).toEqual([]);
});

it('a macro takes every parameter that marts.catalog lists', { tags: ['slow'] }, async () => {
  const calls = await read(`
    SELECT relation, string_agg('"' || name || '" := NULL', ', ')
    FROM marts.catalog WHERE kind = 'parameter' AND unit IS NULL AND relation NOT LIKE 'reports.%_day' GROUP BY relation`);
  expect(calls.length).toBeGreaterThan(5);
  for (const [macro, parameters] of calls) {
    const call = `${macro}(start_date := '2026-01-01', end_date := '2026-01-31', ${parameters})`;
    expect(await read(`SELECT COUNT(*) FROM ${call}`)).toHaveLength(1);
  }
});

/** Columns whose name means several things, each with the marts that share a meaning. Every other name means one thing. */
const HOMONYMS: Readonly<Record<string, readonly string[]>> = {
  active: ['capacity, people', 'projects'],
  amount: ['allowances', 'lines', 'milestones'],
  bill_rate: ['bill_rates, canceled_lines, ledger, lines, rates', 'people_rates', 'role_rates'],
  bill_rate_source: ['canceled_lines, ledger, lines, rates', 'people_rates'],
  client: ['clients', 'lines, projects, retainers'],
  client_id: ['clients', 'lines, projects'],
  date: [
    'agreed_fees, canceled_lines, ledger, lines',
    'allowances',
    'budget_burn, calendar, capacity, time_off',
    'data_quality',
    'milestones',
    'retainers',
  ],
  department: ['capacity, lines, people, time_off', 'department_ancestors, departments'],
  department_id: ['capacity, lines, people, time_off', 'department_ancestors, departments'],
  end_date: ['allocations', 'milestones', 'people', 'phases', 'projects'],
  has_capacity: ['capacity', 'people', 'time_off'],
  holiday: ['calendar', 'time_off'],
  hours: ['canceled_lines, ledger, lines', 'data_quality'],
  id: ['bill_rates', 'data_quality'],
  kind: ['agreed_fees, canceled_lines, ledger, lines', 'allowances', 'catalog'],
  last_date: ['bill_rates, people_rates, rates, role_rates', 'retainers'],
  level: ['bill_rates', 'budgets'],
  logged_time_id: ['canceled_lines, ledger, lines', 'logged_time'],
  people_id: [
    'agreed_fees, canceled_lines, ledger, lines',
    'bill_rates',
    'capacity, people, people_rates, people_tags, rates, time_off',
    'data_quality',
  ],
  people_type_id: ['capacity, people', 'people_types'],
  phase_id: [
    'agreed_fees, allowances, canceled_lines, ledger, lines, milestones, phases, project_tasks, rates, retainers',
    'budgets',
  ],
  project_expense_id: ['canceled_lines, ledger, lines', 'expenses'],
  project_id: [
    'agreed_fees, allowances, budget_burn, budgets, canceled_lines, ledger, lines, milestones, phases, project_tags, project_tasks, projects, rates, retainers',
    'data_quality',
  ],
  project_manager: ['accounts', 'lines, projects', 'project_managers'],
  project_manager_name: ['accounts, lines, projects', 'project_managers'],
  retainer_id: ['agreed_fees', 'allowances, retainers'],
  role: ['capacity', 'lines, rates', 'people', 'people_rates', 'role_rates, roles'],
  role_id: [
    'bill_rates',
    'canceled_lines, ledger, lines, rates',
    'capacity',
    'people',
    'people_rates',
    'role_rates, roles',
  ],
  start_date: ['allocations', 'people', 'phases', 'projects'],
  task_id: ['allocations', 'canceled_lines, ledger, lines'],
  task_meta_id: ['agreed_fees, canceled_lines, ledger, lines', 'budgets', 'project_tasks'],
  unit: ['allowances, retainers', 'catalog'],
};

it('a column of one name has one description and one unit in all marts, unless its meanings were decided', async () => {
  const homonyms = await database.rows<{ name: string; marts: string }>(`
    WITH meanings AS (
      SELECT name, description, unit, string_agg(replace(relation, 'marts.', ''), ', ' ORDER BY relation) AS marts
      FROM marts.catalog WHERE kind = 'column' GROUP BY name, description, unit
    )
    SELECT name, marts FROM meanings
    QUALIFY COUNT(*) OVER (PARTITION BY name) > 1
    ORDER BY name, marts`);
  const expected = Object.entries(HOMONYMS).flatMap(([name, groups]) => groups.map((marts) => ({ name, marts })));
  expect(homonyms).toEqual(expected);
});
