import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { quoteName } from '../../database/database.ts';
import { IS_GONE } from './changed-rows.ts';
import { explainMissing } from './connect.ts';
import type { MartTable } from './mart-tables.ts';
import { qualify } from './present-tables.ts';

/** The rows of a mart on their way, in the transaction alone. */
const STAGED = 'pg_temp.plumbline_staged';

/** Copies rows into an empty table. @returns their number. */
export async function fillTable(client: Client, schema: string, mart: MartTable, file: string): Promise<number> {
  return copyRows(
    client,
    qualify(schema, mart.name),
    mart.columns.map(({ name }) => name),
    file,
  );
}

/**
 * Writes the rows that differ: deletes and inserts them by key, or with all their copies.
 * @param isWhole True if the file has all rows; false if it has those that have changed or are gone.
 * @returns the number of rows that differ.
 */
export async function changeRows(
  client: Client,
  schema: string,
  mart: MartTable,
  file: string,
  isWhole: boolean,
): Promise<number> {
  if (!isWhole && (await stat(file)).size === 0) return 0;
  const table = qualify(schema, mart.name);
  const names = mart.columns.map(({ name }) => name);
  const list = names.map(quoteName).join(', ');
  await client.query(`CREATE TEMP TABLE plumbline_staged ON COMMIT DROP AS
    SELECT ${list}, false AS ${IS_GONE} FROM ${table} WITH NO DATA`);
  await copyRows(client, STAGED, [...names, IS_GONE], file);
  const count =
    isWhole && mart.key.length === 0
      ? await replaceRows(client, table, list)
      : await mergeRows(client, table, mart, isWhole);
  await client.query(`DROP TABLE ${STAGED}`);
  return count;
}

async function mergeRows(
  client: Client,
  table: string,
  { columns, key }: MartTable,
  isWhole: boolean,
): Promise<number> {
  const list = columns.map(({ name }) => quoteName(name)).join(', ');
  const keys = key.map(quoteName).join(', ');
  const row = (of: string) => `ROW(${columns.map(({ name }) => `${of}.${quoteName(name)}`).join(', ')})`;
  // Texts of rows can be hashed, which IS NOT DISTINCT FROM can't.
  const isSame =
    key.length === 0
      ? `${row('present')}::text = ${row('staged')}::text`
      : key.map((name) => `present.${quoteName(name)} = staged.${quoteName(name)}`).join(' AND ');
  await client.query(`ANALYZE ${STAGED}`);
  if (isWhole) {
    await client.query(`INSERT INTO ${STAGED} (${keys}, ${IS_GONE})
      SELECT ${keys}, true FROM ${table} AS present WHERE NOT EXISTS (SELECT FROM ${STAGED} AS staged WHERE ${isSame})`);
    await client.query(`DELETE FROM ${STAGED} AS staged USING ${table} AS present
      WHERE ${isSame} AND NOT ${IS_GONE} AND ${row('staged')} IS NOT DISTINCT FROM ${row('present')}`);
  }
  const { rows } = await client.query<{ count: number }>(`SELECT COUNT(*)::integer AS count FROM ${STAGED}`);
  await client.query(`DELETE FROM ${table} AS present USING ${STAGED} AS staged WHERE ${isSame}`);
  await client.query(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${STAGED} WHERE NOT ${IS_GONE}`);
  return rows[0]?.count ?? 0;
}

/** Writes all rows without a key anew if one differs. */
async function replaceRows(client: Client, table: string, list: string): Promise<number> {
  const [present, staged] = [`SELECT ${list} FROM ${table}`, `SELECT ${list} FROM ${STAGED}`];
  const { rows } = await client.query<{ differ: boolean }>(`SELECT EXISTS (
    (${present} EXCEPT ALL ${staged}) UNION ALL (${staged} EXCEPT ALL ${present})) AS differ`);
  if (rows[0]?.differ !== true) return 0;
  await client.query(`DELETE FROM ${table}`);
  const { rowCount } = await client.query(`INSERT INTO ${table} (${list}) ${staged}`);
  return rowCount ?? 0;
}

async function copyRows(client: Client, table: string, columns: readonly string[], file: string): Promise<number> {
  const { from } = await import('pg-copy-streams').catch(explainMissing);
  const copying = client.query(from(`COPY ${table} (${columns.map(quoteName).join(', ')}) FROM STDIN (FORMAT csv)`));
  await pipeline(createReadStream(file), copying);
  return copying.rowCount;
}
