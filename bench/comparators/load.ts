import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote, readNumber, withConnection } from '../connection.ts';

const hours = 'DECIMAL(10,6)';
const money = 'DECIMAL(18,4)';
const workHours = `${hours}[]`;

/** The file of each resource with the types of its fields, so that nothing is inferred. */
const resources: Record<string, Record<string, string>> = {
  departments: { department_id: 'BIGINT', name: 'VARCHAR', parent_id: 'BIGINT' },
  clients: { client_id: 'BIGINT', name: 'VARCHAR' },
  accounts: { account_id: 'BIGINT', name: 'VARCHAR', email: 'VARCHAR', account_type: 'TINYINT', active: 'TINYINT' },
  roles: {
    role_id: 'BIGINT',
    name: 'VARCHAR',
    default_hourly_rate: money,
    cost_rate_history: `STRUCT(rate ${money}, effective_date DATE)[]`,
  },
  people: {
    people_id: 'BIGINT',
    name: 'VARCHAR',
    people_code: 'VARCHAR',
    email: 'VARCHAR',
    job_title: 'VARCHAR',
    department_id: 'BIGINT',
    role_id: 'BIGINT',
    work_days_hours: workHours,
    work_days_hours_history: `MAP(DATE, ${workHours})`,
    contractor: 'TINYINT',
    people_type_id: 'TINYINT',
    tags: 'VARCHAR[]',
    start_date: 'DATE',
    end_date: 'DATE',
    active: 'TINYINT',
    default_hourly_rate: money,
    cost_rate: money,
    effective_date: 'DATE',
    contracts: `STRUCT(effective_date DATE, role_id BIGINT, role_name VARCHAR, cost_rate ${money},
      cost_rate_from VARCHAR)[]`,
  },
  project_stages: { stage_id: 'BIGINT', name: 'VARCHAR', status: 'TINYINT', sort_order: 'INTEGER' },
  projects: {
    project_id: 'BIGINT',
    name: 'VARCHAR',
    project_code: 'VARCHAR',
    client_id: 'BIGINT',
    tags: 'VARCHAR[]',
    budget_type: 'TINYINT',
    budget_total: money,
    budget_priority: 'TINYINT',
    default_hourly_rate: money,
    non_billable: 'TINYINT',
    tentative: 'TINYINT',
    status: 'TINYINT',
    stage_id: 'BIGINT',
    active: 'TINYINT',
    project_manager: 'BIGINT',
    start_date: 'DATE',
    end_date: 'DATE',
    project_team: `STRUCT(people_id BIGINT, role_id BIGINT, hourly_rate ${money}, phase_id BIGINT)[]`,
  },
  phases: {
    phase_id: 'BIGINT',
    project_id: 'BIGINT',
    name: 'VARCHAR',
    start_date: 'DATE',
    end_date: 'DATE',
    status: 'TINYINT',
    non_billable: 'TINYINT',
    default_hourly_rate: money,
    budget_total: money,
    phase_team: `STRUCT(people_id BIGINT, role_id BIGINT, hourly_rate ${money})[]`,
  },
  milestones: { milestone_id: 'BIGINT', project_id: 'BIGINT', phase_id: 'BIGINT', name: 'VARCHAR', date: 'DATE' },
  project_tasks: {
    task_meta_id: 'BIGINT',
    project_id: 'BIGINT',
    phase_id: 'BIGINT',
    task_name: 'VARCHAR',
    billable: 'TINYINT',
    budget: money,
  },
  tasks: {
    task_id: 'BIGINT',
    project_id: 'BIGINT',
    phase_id: 'BIGINT',
    people_id: 'BIGINT',
    people_ids: 'BIGINT[]',
    start_date: 'DATE',
    end_date: 'DATE',
    hours,
    name: 'VARCHAR',
    repeat_state: 'TINYINT',
    repeat_end_date: 'DATE',
    status: 'TINYINT',
    billable: 'TINYINT',
    task_meta_id: 'BIGINT',
    created: 'TIMESTAMP',
    modified: 'TIMESTAMP',
  },
  timeoffs: {
    timeoff_id: 'BIGINT',
    people_id: 'BIGINT',
    people_ids: 'BIGINT[]',
    timeoff_type_id: 'BIGINT',
    timeoff_type_name: 'VARCHAR',
    start_date: 'DATE',
    end_date: 'DATE',
    hours,
    full_day: 'TINYINT',
    repeat_state: 'TINYINT',
    repeat_end: 'DATE',
    status: 'TINYINT',
  },
  logged_time: {
    logged_time_id: 'VARCHAR',
    people_id: 'BIGINT',
    date: 'DATE',
    hours,
    billable: 'TINYINT',
    locked: 'TINYINT',
    project_id: 'BIGINT',
    phase_id: 'BIGINT',
    task_id: 'BIGINT',
    task_meta_id: 'BIGINT',
    notes: 'VARCHAR',
    created: 'TIMESTAMP',
    modified: 'TIMESTAMP',
  },
  project_expenses: {
    project_expense_id: 'BIGINT',
    project_id: 'BIGINT',
    name: 'VARCHAR',
    date: 'DATE',
    cost: money,
    billable: 'TINYINT',
    markup: money,
    markup_type: 'TINYINT',
  },
};

function formatColumns(columns: Record<string, string>): string {
  return `{${Object.entries(columns)
    .map(([name, type]) => `${name}: ${quote(type)}`)
    .join(', ')}}`;
}

/** Runs the comparator of the load: typed tables in a database file, checkpointed, without validation. */
export async function loadTypedTables(directory: string, databaseFile: string): Promise<number> {
  return withConnection(databaseFile, async (connection) => {
    for (const [name, columns] of Object.entries(resources)) {
      const file = quote(path.join(directory, `${name}.ndjson`));
      // ignore_errors reads bad dates as null; otherwise one bad record would fail the whole read.
      await connection.run(`CREATE TABLE ${name} AS
        SELECT * FROM read_json(${file}, format = 'newline_delimited', ignore_errors = true,
          columns = ${formatColumns(columns)})`);
    }
    const settings = path.join(directory, 'settings.json');
    if (existsSync(settings)) await createSettings(connection, settings);
    await connection.run('CHECKPOINT');
    return readNumber(connection, 'SELECT count(*) FROM logged_time');
  });
}

async function createSettings(connection: DuckDBConnection, file: string): Promise<void> {
  const columns = formatColumns({ currency: 'VARCHAR', work_days_hours: workHours });
  await connection.run(`CREATE TABLE settings AS SELECT * FROM read_json(${quote(file)}, columns = ${columns})`);
}

/**
 * Deletes the bad records and duplicates that the engine's load removes, so that both builds read the same.
 * Not measured.
 */
export async function cleanTypedTables(databaseFile: string): Promise<void> {
  await withConnection(databaseFile, async (connection) => {
    const keepLast = (table: string, id: string): string => `DELETE FROM ${table}
      WHERE ${id} IN (SELECT ${id} FROM ${table} GROUP BY ${id} HAVING count(*) > 1)
        AND rowid NOT IN (SELECT max(rowid) FROM ${table} GROUP BY ${id} HAVING count(*) > 1)`;
    const statements = [
      `DELETE FROM tasks WHERE start_date IS NULL OR end_date IS NULL OR end_date < start_date OR hours IS NULL
        OR hours < 0
        OR hours > 24 OR project_id IS NULL OR (people_id IS NULL AND coalesce(len(people_ids), 0) = 0)
        OR repeat_end_date < start_date`,
      `DELETE FROM timeoffs WHERE start_date IS NULL OR end_date IS NULL OR end_date < start_date OR hours < 0
        OR hours > 24
        OR (people_id IS NULL AND coalesce(len(people_ids), 0) = 0) OR repeat_end < start_date`,
      `DELETE FROM logged_time WHERE people_id IS NULL OR date IS NULL OR hours IS NULL OR hours < 0 OR hours > 24`,
      keepLast('tasks', 'task_id'),
      keepLast('timeoffs', 'timeoff_id'),
      keepLast('logged_time', 'logged_time_id'),
      'CHECKPOINT',
    ];
    for (const statement of statements) await connection.run(statement);
  });
}
