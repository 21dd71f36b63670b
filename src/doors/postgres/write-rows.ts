import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { quoteName } from '../../base/database/index.ts';
import { IS_GONE } from './changed-rows.ts';
import type { PostgresSession } from './connect.ts';
import type { MartTable } from './mart-tables.ts';
import { qualify } from './present-tables.ts';

/** The rows of a mart on their way, in the transaction alone. */
const STAGED = 'pg_temp.plumbline_staged';

/** Copies rows into an empty table. @returns their number. */
export async function fillTable(
  session: PostgresSession,
  schema: string,
  mart: MartTable,
  file: string,
): Promise<number> {
  return copyRows(
    session,
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
  session: PostgresSession,
  schema: string,
  mart: MartTable,
  file: string,
  isWhole: boolean,
): Promise<number> {
  if (!isWhole && (await stat(file)).size === 0) return 0;
  const table = qualify(schema, mart.name);
  const names = mart.columns.map(({ name }) => name);
  const list = names.map(quoteName).join(', ');
  await session.query(`CREATE TEMP TABLE plumbline_staged ON COMMIT DROP AS
    SELECT ${list}, false AS ${IS_GONE} FROM ${table} WITH NO DATA`);
  await copyRows(session, STAGED, [...names, IS_GONE], file);
  const count =
    isWhole && mart.key.length === 0
      ? await replaceRows(session, table, list)
      : await mergeRows(session, table, mart, isWhole);
  await session.query(`DROP TABLE ${STAGED}`);
  return count;
}

async function mergeRows(
  session: PostgresSession,
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
  await session.query(`ANALYZE ${STAGED}`);
  if (isWhole) {
    await session.query(`INSERT INTO ${STAGED} (${keys}, ${IS_GONE})
      SELECT ${keys}, true FROM ${table} AS present WHERE NOT EXISTS (SELECT FROM ${STAGED} AS staged WHERE ${isSame})`);
    await session.query(`DELETE FROM ${STAGED} AS staged USING ${table} AS present
      WHERE ${isSame} AND NOT ${IS_GONE} AND ${row('staged')} IS NOT DISTINCT FROM ${row('present')}`);
  }
  const { rows } = await session.query<{ count: number }>(`SELECT COUNT(*)::integer AS count FROM ${STAGED}`);
  await session.query(`DELETE FROM ${table} AS present USING ${STAGED} AS staged WHERE ${isSame}`);
  await session.query(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${STAGED} WHERE NOT ${IS_GONE}`);
  return rows[0]?.count ?? 0;
}

/** Writes all rows without a key anew if one differs. */
async function replaceRows(session: PostgresSession, table: string, list: string): Promise<number> {
  const [present, staged] = [`SELECT ${list} FROM ${table}`, `SELECT ${list} FROM ${STAGED}`];
  const { rows } = await session.query<{ differ: boolean }>(`SELECT EXISTS (
    (${present} EXCEPT ALL ${staged}) UNION ALL (${staged} EXCEPT ALL ${present})) AS differ`);
  if (rows[0]?.differ !== true) return 0;
  await session.query(`DELETE FROM ${table}`);
  const { rowCount } = await session.query(`INSERT INTO ${table} (${list}) ${staged}`);
  return rowCount ?? 0;
}

async function copyRows(
  session: PostgresSession,
  table: string,
  columns: readonly string[],
  file: string,
): Promise<number> {
  const statement = `COPY ${table} (${columns.map(quoteName).join(', ')}) FROM STDIN (FORMAT csv)`;
  return session.copy(statement, createReadStream(file));
}
