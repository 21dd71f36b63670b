import { type Database, quoteText } from '../../database/database.ts';
import { AppError, messageOf } from '../../error.ts';
import { SQL_TYPES } from '../../resource/field.ts';
import { type Shape, shapes } from '../shape.ts';
import { CREATE_CHANGES } from './changes.ts';
import { UNSAID } from './unsaid.ts';

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
      CREATE TABLE IF NOT EXISTS service.state (
        refreshed_change_id BIGINT NOT NULL, deletions_since TIMESTAMP NOT NULL);
      INSERT INTO service.state SELECT 0, TIMESTAMP '${since}' WHERE NOT EXISTS (SELECT 1 FROM service.state);
      COMMENT ON TABLE service.changes IS 'One row per record that was written: who changed it when, and what it was before and after.';`);
    for (const shape of shapes.values()) {
      await addTables(database, shape);
      await changeTypes(database, shape);
      await addMoments(database, shape, since);
    }
    await inheritRoleRates(database);
    await sayUnsaid(database);
  });
}

async function addTables(database: Database, { table, id, fields, lists }: Shape): Promise<void> {
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
async function changeTypes(database: Database, { resource, fields, lists }: Shape): Promise<void> {
  const tables = [{ table: resource.name, fields }, ...Object.values(lists)];
  for (const { table, fields: columns } of tables) {
    const found = await database.rows<{ name: string; type: string }>(`
      SELECT column_name AS name, data_type AS type FROM duckdb_columns()
      WHERE database_name = current_database() AND schema_name = 'source' AND table_name = ${quoteText(table)}`);
    for (const { name, type } of found) {
      const now = columns[name] && SQL_TYPES[columns[name].type];
      if (now === undefined || now === type) continue;
      await database.run(`ALTER TABLE source.${table} ALTER COLUMN ${name} TYPE ${now}`).catch((cause: unknown) => {
        throw new AppError('storage', `The column ${name} of source.${table}, of type ${type}, can't be made ${now}`, {
          hint: 'Go back to the version of the program that wrote it, and mend these values.',
          evidence: messageOf(cause),
          cause,
        });
      });
    }
  }
}

/** Adds missing timestamps to records of an earlier version (1.5). */
async function addMoments(database: Database, { table, fields }: Shape, at: string): Promise<void> {
  for (const name of Object.keys(fields).filter((each) => fields[each]?.isMoment))
    await database.run(`UPDATE ${table} SET ${name} = TIMESTAMP ${quoteText(at)} WHERE ${name} IS NULL`);
}

/**
 * Clears a contract's rate if it equals the role's rate on its date.
 * The contract then inherits later changes of the role's rate (R3).
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

/** Stores values derived from other fields, so that they survive changes of those. */
async function sayUnsaid(database: Database): Promise<void> {
  for (const [resource, fields] of UNSAID) {
    const names = Object.entries(fields);
    const values = names.map(([name, sql]) => `${name} = ${sql}`);
    const differ = names.map(([name, sql]) => `${name} IS DISTINCT FROM ${sql}`);
    await database.run(`UPDATE source.${resource} SET ${values.join(', ')} WHERE ${differ.join(' OR ')}`);
  }
}
