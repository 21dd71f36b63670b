import { type Database, quoteText } from '../../database/database.ts';
import { AppError, messageOf } from '../../error.ts';
import { SQL_TYPES } from '../../resource/field.ts';
import { type Shape, shapes } from '../shape.ts';
import { CREATE_CHANGES } from './changes.ts';
import { UNSAID } from './unsaid.ts';

/**
 * Makes what the service needs in a working database beside a generation: the schema `service` with the record of all changes, and the tables
 * and columns that an earlier version of the program didn't have. Does nothing where it is there already.
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
    for (const shape of shapes.values()) {
      await addTables(database, shape);
      await changeTypes(database, shape);
      await addMoments(database, shape, since);
    }
    await inheritRoleRates(database);
    await sayUnsaid(database);
  });
}

/** Adds the tables and columns of a resource that aren't there. */
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
 * Gives columns of an earlier version of the program the types that they have now.
 * @throws AppError storage for a column whose values aren't of its type.
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

/** Gives a moment to records of an earlier version of the program that have none (1.5). */
async function addMoments(database: Database, { table, fields }: Shape, at: string): Promise<void> {
  for (const name of Object.keys(fields).filter((each) => fields[each]?.isMoment))
    await database.run(`UPDATE ${table} SET ${name} = TIMESTAMP ${quoteText(at)} WHERE ${name} IS NULL`);
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

/** Writes into records what follows from their other fields, so that a later change of those leaves it as it is. */
async function sayUnsaid(database: Database): Promise<void> {
  for (const [resource, fields] of UNSAID) {
    const names = Object.entries(fields);
    const values = names.map(([name, sql]) => `${name} = ${sql}`);
    const differ = names.map(([name, sql]) => `${name} IS DISTINCT FROM ${sql}`);
    await database.run(`UPDATE source.${resource} SET ${values.join(', ')} WHERE ${differ.join(' OR ')}`);
  }
}
