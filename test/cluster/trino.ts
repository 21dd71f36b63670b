import { type Database, quoteName } from '../../src/database/database.ts';
import { trinoType } from '../../src/lake/lake-types.ts';
import { sqlDirectory } from '../../src/live/definitions.ts';
import { buildOn } from '../../src/model/build.ts';
import { relationAt, schemaAt, type TrinoPlace, trinoEngine } from '../../src/model/engine/trino.ts';
import { findRecordTables, loadChecks, loadModels, type Model, qualifiedName } from '../../src/model/models.ts';
import type { TrinoClient } from '../../src/trino/trino-client.ts';
import { type Column, type Comparison, compareRelations, isScaled, joinTexts } from '../engine/conformance.ts';

/** Rows copied by one statement, which a server takes up to a million characters of. Unit: rows. */
const ROWS_AT_ONCE = 300;

/**
 * Builds all models of a company on a cluster, runs all checks there, compares each relation, and drops everything.
 * @param database Has the company's models, built by DuckDB.
 */
export async function compareTrino(database: Database, client: TrinoClient, place: TrinoPlace): Promise<Comparison> {
  const models = await loadModels(database, sqlDirectory);
  const checks = loadChecks(sqlDirectory);
  const engine = trinoEngine(client, place, database, sqlDirectory);
  await copyRecords(database, client, place, await findRecordTables(database, models, checks));
  await buildOn(engine, models, checks);
  const compared = await compareRelations(database, (model, columns) => readTrino(client, place, model, columns));
  await engine.drop();
  await client.run(`DROP SCHEMA ${schemaAt(place, 'source')} CASCADE`);
  return compared;
}

async function copyRecords(
  database: Database,
  client: TrinoClient,
  place: TrinoPlace,
  tables: readonly string[],
): Promise<void> {
  await client.run(`CREATE SCHEMA ${schemaAt(place, 'source')}`);
  for (const table of tables) {
    const columns = await database.rows<Column>(
      `SELECT column_name AS name, column_type AS type FROM (DESCRIBE source.${quoteName(table)})`,
    );
    const copy = relationAt(place, `source.${table}`);
    const names = columns.map(({ name }) => quoteName(name)).join(', ');
    const types = columns.map(({ name, type }) => `${quoteName(name)} ${trinoType(type)}`);
    await client.run(`CREATE TABLE ${copy} (${types.join(', ')})`);
    const values = columns.map((column) => `${literalSql(column)} AS ${quoteName(column.name)}`).join(', ');
    const rows = await database.rows<Record<string, string>>(`SELECT ${values} FROM source.${quoteName(table)}`);
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const given = rows.slice(start, start + ROWS_AT_ONCE).map((row) => `(${Object.values(row).join(', ')})`);
      const casts = columns.map(({ name, type }) => `CAST(${quoteName(name)} AS ${trinoType(type)})`).join(', ');
      await client.run(`INSERT INTO ${copy} SELECT ${casts} FROM (VALUES ${given.join(', ')}) AS given (${names})`);
    }
  }
}

/** Returns the SQL that makes the SQL of a value: a text, or an array of texts. */
function literalSql({ name, type }: Column): string {
  const quote = (value: string) =>
    `CASE WHEN ${value} IS NULL THEN 'NULL' ELSE '''' || replace(CAST(${value} AS VARCHAR), '''', '''''') || '''' END`;
  const value = quoteName(name);
  if (!type.endsWith('[]')) return quote(value);
  const items = `array_to_string(list_transform(${value}, lambda item: ${quote('item')}), ', ')`;
  return `CASE WHEN ${value} IS NULL THEN 'NULL' ELSE 'CAST(ARRAY[' || ${items} || '] AS ARRAY(VARCHAR))' END`;
}

async function readTrino(
  client: TrinoClient,
  place: TrinoPlace,
  model: Model,
  columns: readonly Column[],
): Promise<string[]> {
  const texts = columns.map(({ name, type }) => {
    const value = quoteName(name);
    if (type.endsWith('[]')) return `'[' || array_join(${value}, ', ') || ']'`;
    const text = `CAST(${value} AS VARCHAR)`;
    return isScaled(type) ? `trim(TRAILING '.' FROM trim(TRAILING '0' FROM ${text}))` : text;
  });
  const { rows } = await client.run(
    `SELECT ${joinTexts(texts)} AS row_text FROM ${relationAt(place, qualifiedName(model))}`,
  );
  return rows.map(([row]) => String(row));
}
