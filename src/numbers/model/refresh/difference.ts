import { type Database, quoteName, quoteText } from '../../../base/database/index.ts';
import { type Model, qualifiedName } from '../models.ts';

/** Returns the temporary table of changed rows: removed ones have a rowid, added ones none. */
export function changedRows(model: Model): string {
  return `changed_${model.schema}_${model.name}`;
}

/** Creates the empty tables of changed rows, with the current columns of the stored models. */
export async function createChanged(session: Database, models: readonly Model[]): Promise<void> {
  const statements = models.map(
    (model) => `
    CREATE OR REPLACE TEMP TABLE ${changedRows(model)} AS
    SELECT CAST(NULL AS INTEGER) AS part, CAST(NULL AS BIGINT) AS stored_row, *
    FROM ${qualifiedName(model)}
    LIMIT 0`,
  );
  await session.run(statements.join(';'));
}

export async function clearChanged(session: Database, models: readonly Model[]): Promise<void> {
  if (models.length === 0) return;
  await session.run(models.map((model) => `TRUNCATE ${changedRows(model)}`).join('; '));
}

export async function readModelColumns(session: Database, models: readonly Model[]): Promise<Map<Model, string[]>> {
  const columns = await session.rows<{ model: string; name: string }>(`
    SELECT schema_name || '.' || table_name AS model, column_name AS name
    FROM duckdb_columns() WHERE database_name = current_database()
    ORDER BY table_name, column_index`);
  return new Map(
    models.map((model) => {
      const own = columns.filter((column) => column.model === qualifiedName(model));
      return [model, own.map(({ name }) => name)];
    }),
  );
}

/** Reads the distinct values of columns in the changed rows, except rows with a null among them. */
export async function readChangedKeys(
  session: Database,
  models: readonly Model[],
  columns: readonly string[],
): Promise<Keys> {
  if (models.length === 0) return [];
  const keys = columns.map(quoteName).join(', ');
  const isWhole = columns.map((name) => `${quoteName(name)} IS NOT NULL`).join(' AND ');
  const selects = models.map((model) => `SELECT ${keys} FROM ${changedRows(model)} WHERE ${isWhole}`);
  return session.rows(selects.join(' UNION '));
}

export type Keys = readonly Readonly<Record<string, Key>>[];

type Key = string | number | bigint;

/**
 * Formats an SQL condition that matches all rows with the keys, and few others.
 * DuckDB pushes an equation or a range through joins on such a column, but not a list.
 */
export function matchKeys(columns: readonly string[], keys: Keys): string {
  return columns.map((column) => matchValues(column, [...new Set(keys.map((key) => key[column] ?? ''))])).join(' AND ');
}

function matchValues(column: string, values: readonly Key[]): string {
  const [first = '', ...others] = values;
  if (others.length === 0) return `${column} = ${formatLiteral(first)}`;
  const list = `${column} IN (${values.map(formatLiteral).join(', ')})`;
  // The engine sorts texts in its own order.
  if (values.some((value) => typeof value === 'string')) return list;
  const sorted = [...values].sort((one, other) => (one < other ? -1 : 1));
  return `${list} AND ${column} BETWEEN ${sorted[0]} AND ${sorted.at(-1)}`;
}

function formatLiteral(value: Key): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}

export interface Rows {
  readonly model: Model;
  readonly columns: readonly string[];
  /** The number under which changes are recorded. */
  readonly part: number;
  /** SQL. */
  readonly where: string;
  /** SQL of the rows, and possibly others. */
  readonly made: string;
}

/** The numbers of removed and added rows; a changed row counts as both. */
export interface Moved {
  readonly gone: number;
  readonly come: number;
}

/**
 * Replaces outdated rows of a stored model.
 * Writes only the rows that differ, so that the others keep their place.
 */
export async function replaceRows(session: Database, { model, columns, part, where, made }: Rows): Promise<Moved> {
  const table = qualifiedName(model);
  const names = columns.map(quoteName).join(', ');
  const same = columns
    .map((name) => `made.${quoteName(name)} IS NOT DISTINCT FROM stored.${quoteName(name)}`)
    .join(' AND ');
  const changed = `${changedRows(model)} WHERE part = ${part}`;
  const [counts] = await session.rows<Moved>(`
    INSERT INTO ${changedRows(model)}
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, ${names} FROM ${table} WHERE ${where}),
    made AS MATERIALIZED (SELECT ${names} FROM (${made}) AS model WHERE ${where})
    SELECT ${part}, * FROM stored ANTI JOIN made ON ${same}
    UNION ALL
    SELECT ${part}, NULL, * FROM made ANTI JOIN stored ON ${same};
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM ${changed}`);
  const { gone = 0, come = 0 } = counts ?? {};
  if (gone > 0) await session.run(`DELETE FROM ${table} WHERE rowid IN (SELECT stored_row FROM ${changed})`);
  if (come > 0) {
    await session.run(`INSERT INTO ${table} (${names}) SELECT ${names} FROM ${changed} AND stored_row IS NULL`);
  }
  return { gone, come };
}

/**
 * Adds missing rows to a stored model.
 * Looks them up by value, which is faster than a comparison with the whole model.
 * @param rows Its condition applies to the new rows; no value is null.
 */
export async function addRows(session: Database, { model, columns, part, where, made }: Rows): Promise<Moved> {
  const table = qualifiedName(model);
  const names = columns.map(quoteName).join(', ');
  const valuesOf = (row: Keys[number]) => columns.map((name) => formatLiteral(row[name] ?? '')).join(', ');
  const found = await session.rows<Keys[number]>(`SELECT DISTINCT ${names} FROM (${made}) AS model WHERE ${where}`);
  if (found.length === 0) return { gone: 0, come: 0 };
  const stored = await session.rows<Keys[number]>(`SELECT ${names} FROM ${table} WHERE ${matchKeys(columns, found)}`);
  const known = new Set(stored.map(valuesOf));
  const come = found.map(valuesOf).filter((values) => !known.has(values));
  if (come.length === 0) return { gone: 0, come: 0 };
  await session.run(`
    INSERT INTO ${table} (${names}) VALUES (${come.join('), (')});
    INSERT INTO ${changedRows(model)} (part, ${names}) SELECT ${part}, * FROM (VALUES (${come.join('), (')}))`);
  return { gone: 0, come: come.length };
}
