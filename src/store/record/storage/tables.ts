import { type Database, quoteText } from '../../../base/database/index.ts';
import { AppError, messageOf } from '../../../base/index.ts';
import {
  CREATE_SEEN_RATES,
  findResource,
  type Resource,
  resources,
  SQL_TYPES,
} from '../../../records/resource/index.ts';
import { CREATE_CHANGES } from './changes.ts';
import { DERIVED_DEFAULTS } from './derived-defaults.ts';

/**
 * Adds the service's tables to a working database: the schema `service`, and the tables and columns
 * missing in databases of earlier versions. Does nothing if they exist.
 * @param since The time from which deletions are listed, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export async function prepareService(database: Database, since: string): Promise<void> {
  await database.transaction(async () => {
    await database.run(`
      CREATE SCHEMA IF NOT EXISTS service;
      ${CREATE_CHANGES};
      ${CREATE_SEEN_RATES};
      CREATE TABLE IF NOT EXISTS service.state (
        refreshed_change_id BIGINT NOT NULL, deletions_since TIMESTAMP NOT NULL);
      INSERT INTO service.state SELECT 0, TIMESTAMP '${since}' WHERE NOT EXISTS (SELECT 1 FROM service.state);
      COMMENT ON TABLE service.changes IS 'One row per record that was written: who changed it when, and what it was before and after.';`);
    for (const resource of resources) await addTables(database, resource);
    await changeTypes(database);
    for (const resource of resources) await addMoments(database, resource, since);
  });
}

async function addTables(database: Database, { table, id, fields, lists }: Resource): Promise<void> {
  const columns = Object.entries(fields).map(([name, { type }]) => `${name} ${SQL_TYPES[type]}`);
  const idType = SQL_TYPES[fields[id]?.type ?? 'id'];
  await database.run(`
    CREATE TABLE IF NOT EXISTS ${table} (${id} ${idType} NOT NULL);
    ${columns.map((column) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column};`).join('\n')}`);
  for (const items of Object.values(lists)) {
    const itemColumns = Object.entries(items.fields).map(([name, { type }]) => `${name} ${SQL_TYPES[type]}`);
    await database.run(
      `CREATE TABLE IF NOT EXISTS source.${items.table} (${id} ${idType}, position INTEGER, ${itemColumns.join(', ')})`,
    );
  }
}

/**
 * Converts columns of an earlier version to their current types.
 * @throws AppError storage for a column with incompatible values.
 */
async function changeTypes(database: Database): Promise<void> {
  const columns = new Map(
    resources.flatMap(({ name, fields, lists }) =>
      [{ table: name, fields }, ...Object.values(lists)].map((table) => [table.table, table.fields] as const),
    ),
  );
  // Reads all tables at once: each reading binds every view of the database.
  const found = await database.rows<{ table: string; name: string; type: string }>(`
    SELECT table_name AS "table", column_name AS name, data_type AS type FROM duckdb_columns()
    WHERE database_name = current_database() AND schema_name = 'source' ORDER BY table_name, column_index`);
  for (const { table, name, type } of found) {
    const field = columns.get(table)?.[name];
    const now = field && SQL_TYPES[field.type];
    if (now === undefined || now === type) continue;
    await database.run(`ALTER TABLE source.${table} ALTER COLUMN ${name} TYPE ${now}`).catch((cause: unknown) => {
      throw new AppError(
        'storage',
        `The column ${name} of source.${table}, of type ${type}, can't be converted to ${now}`,
        {
          hint: 'Go back to the version of the program that wrote it, and correct these values.',
          evidence: messageOf(cause),
          cause,
        },
      );
    });
  }
}

/** Adds missing timestamps to records of an earlier version (1.5). */
async function addMoments(database: Database, { table, fields }: Resource, at: string): Promise<void> {
  for (const name of Object.keys(fields).filter((each) => fields[each]?.isMoment))
    await database.run(`UPDATE ${table} SET ${name} = TIMESTAMP ${quoteText(at)} WHERE ${name} IS NULL`);
}

/**
 * Changes loaded records to the form in which the service keeps them.
 * @param database Has the tables of prepareService, and the models that read only records.
 * @returns whether models built before are out of date.
 */
export async function settleRecords(database: Database): Promise<boolean> {
  return database.transaction(async () => {
    await fillDerivedDefaults(database);
    return inheritRoleRates(database);
  });
}

/**
 * Clears a contract's rate if it equals the role's rate on its first day.
 * The contract then inherits later changes of the role's rate (R3).
 * @returns whether there was one.
 */
async function inheritRoleRates(database: Database): Promise<boolean> {
  const cleared = await database.rows(`
    UPDATE source.contracts SET cost_rate = NULL, cost_rate_from = NULL
    FROM core.contracts AS ranges
    JOIN core.role_cost_rates
      ON role_cost_rates.role_id = ranges.role_id
      AND role_cost_rates.valid_from <= ranges.valid_from
      AND role_cost_rates.valid_to > ranges.valid_from
    WHERE ranges.people_id = contracts.people_id AND ranges.position = contracts.position
      AND ranges.cost_rate_source = 'role' AND ranges.cost_rate = role_cost_rates.cost_rate
    RETURNING contracts.people_id`);
  return cleared.length > 0;
}

/** Stores values derived from other fields, so that they survive changes of those. */
async function fillDerivedDefaults(database: Database): Promise<void> {
  for (const [resource, fields] of DERIVED_DEFAULTS) {
    const { table, id } = findResource(resource);
    const names = Object.entries(fields);
    const values = names.map(([name, sql]) => `${name} = ${sql}`);
    const differ = names.map(([name, sql]) => `${resource}.${name} IS DISTINCT FROM ${sql}`);
    await database.run(`
      UPDATE ${table} SET ${values.join(', ')} FROM staging.${resource} AS staged
      WHERE staged.${id} = ${resource}.${id} AND (${differ.join(' OR ')})`);
  }
}
