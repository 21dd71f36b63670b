import type { Database } from '../database.ts';
import type { Field, FieldType } from '../resource/field.ts';
import { CREATE_CHANGES } from './changes.ts';
import { type Shape, shapes } from './shape.ts';

/** How the fields that only the service holds are stored; a dataset's are where ingest has put them. */
const TYPES: Partial<Record<FieldType, string>> = {
  id: 'BIGINT',
  name: 'VARCHAR',
  text: 'VARCHAR',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};

/**
 * Makes what the service needs in a working database beside a generation: the schema `service` with the record of all changes, and the columns
 * that a dataset hasn't got. Does nothing where it is there already.
 * @param since When the deletions begin to be listed, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export async function prepareService(database: Database, since: string): Promise<void> {
  await database.transaction(async () => {
    await database.run(`
      CREATE SCHEMA IF NOT EXISTS service;
      ${CREATE_CHANGES};
      CREATE TABLE IF NOT EXISTS service.state (
        refreshed_change_id BIGINT NOT NULL, deletions_since TIMESTAMP NOT NULL);
      INSERT INTO service.state SELECT 0, TIMESTAMP '${since}' WHERE NOT EXISTS (SELECT 1 FROM service.state);
      COMMENT ON TABLE service.changes IS 'One row per record that was written: who changed it when, and what it was before and after.';`);
    await createTimeoffTypes(database);
    for (const shape of shapes.values()) await addColumns(database, shape);
    await inheritRoleRates(database);
    await sayUnsaid(database);
  });
}

/** A dataset names the kinds of time off in its time off alone. */
async function createTimeoffTypes(database: Database): Promise<void> {
  await database.run(`
    CREATE TABLE IF NOT EXISTS source.timeoff_types AS
    SELECT timeoff_type_id, max(timeoff_type_name) AS timeoff_type_name
    FROM source.timeoffs
    WHERE timeoff_type_id IS NOT NULL
    GROUP BY timeoff_type_id
    ORDER BY timeoff_type_id`);
}

async function addColumns(database: Database, { table, fields }: Shape): Promise<void> {
  const there = await database.rows<{ name: string }>(`SELECT column_name AS name FROM (DESCRIBE ${table})`);
  const names = new Set(there.map(({ name }) => name));
  const missing = Object.entries(fields).filter(([name]) => !names.has(name));
  for (const [name, field] of missing) await database.run(`ALTER TABLE ${table} ADD COLUMN ${name} ${typeOf(field)}`);
}

function typeOf({ type }: Field): string {
  const found = TYPES[type];
  if (!found) throw new Error(`No field of the service's own is of the type ${type}`);
  return found;
}

/**
 * A contract as the API shows it names the role's rate of its day. Where the role's history says the same, the contract inherits it from there,
 * so that a later change of the role's rate reaches the person (R3).
 */
async function inheritRoleRates(database: Database): Promise<void> {
  await database.run(`
    UPDATE source.contracts SET cost_rate = NULL, cost_rate_from = NULL
    WHERE cost_rate_from = 'role' AND cost_rate = (
      SELECT arg_max(rate, (COALESCE(history.effective_date, DATE '1970-01-01'), position))
      FROM source.cost_rate_history AS history
      WHERE history.role_id = contracts.role_id
        AND COALESCE(history.effective_date, DATE '1970-01-01') <= COALESCE(contracts.effective_date, DATE '1970-01-01'))`);
}

/** What follows from other fields where a dataset doesn't say it, the models read so anyway: from here on the record says it itself. */
async function sayUnsaid(database: Database): Promise<void> {
  await database.run(`
    UPDATE source.people SET people_type_id = CASE WHEN contractor THEN 2 ELSE 1 END WHERE people_type_id IS NULL;
    UPDATE source.projects SET status = CASE WHEN tentative THEN 1 ELSE 2 END WHERE status IS NULL;
    UPDATE source.projects SET tentative = (status = 1) WHERE tentative IS DISTINCT FROM (status = 1);`);
}
