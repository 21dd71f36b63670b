import { type Database, quoteName, quoteText } from '../../database/database.ts';
import { type Model, qualifiedName } from '../models.ts';

/** The name of the temporary table of a model's rows that went, with their place, or came, without one. */
function changedRows(model: Model): string {
  return `changed_${model.schema}_${model.name}`;
}

/** Creates the empty tables of the changed rows of stored models, with the columns that these have now. */
export async function createChanged(session: Database, models: readonly Model[]): Promise<void> {
  const statements = models.map(
    (model) => `
    CREATE OR REPLACE TEMP TABLE ${changedRows(model)} AS
    SELECT CAST(NULL AS VARCHAR) AS part, CAST(NULL AS BIGINT) AS stored_row, *
    FROM ${qualifiedName(model)}
    LIMIT 0`,
  );
  await session.run(statements.join(';'));
}

/** Empties the tables of the changed rows of some stored models. */
export async function clearChanged(session: Database, models: readonly Model[]): Promise<void> {
  if (models.length === 0) return;
  await session.run(models.map((model) => `TRUNCATE ${changedRows(model)}`).join('; '));
}

/** The columns of stored models, in their order. */
export async function readColumns(session: Database, models: readonly Model[]): Promise<Map<Model, string[]>> {
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

/** The different values that some columns have in the changed rows of some models; rows in which one is null aside. */
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

/** The values of some columns that a statement finds. */
export type Keys = readonly Readonly<Record<string, Key>>[];

type Key = string | number | bigint;

/**
 * A condition that is true of every row with one of the keys, and of few others; the engine reads little else for it. It hands on an equation or
 * a range to the tables that are joined by such a column, where it doesn't hand on a list.
 */
export function matchKeys(columns: readonly string[], keys: Keys): string {
  return columns.map((column) => matchValues(column, [...new Set(keys.map((key) => key[column] ?? ''))])).join(' AND ');
}

function matchValues(column: string, values: readonly Key[]): string {
  const [first = '', ...others] = values;
  if (others.length === 0) return `${column} = ${formatLiteral(first)}`;
  const list = `${column} IN (${values.map(formatLiteral).join(', ')})`;
  // The order of texts is the engine's own.
  if (values.some((value) => typeof value === 'string')) return list;
  const sorted = [...values].sort((one, other) => (one < other ? -1 : 1));
  return `${list} AND ${column} BETWEEN ${sorted[0]} AND ${sorted.at(-1)}`;
}

function formatLiteral(value: Key): string {
  return typeof value === 'string' ? quoteText(value) : String(value);
}

/** Some rows of a stored model. */
export interface Rows {
  readonly model: Model;
  /** All its columns. */
  readonly columns: readonly string[];
  /** The name that their changes are noted under. */
  readonly part: string;
  /** SQL. */
  readonly where: string;
  /** SQL that makes them, and maybe others. */
  readonly made: string;
}

/** How many rows of a model went, and how many came; one that is another now did both. */
export interface Moved {
  readonly gone: number;
  readonly come: number;
}

/**
 * Makes some rows of a stored model what they are made now. Only those that differ are written, so that the others keep their place.
 */
export async function replaceRows(session: Database, { model, columns, part, where, made }: Rows): Promise<Moved> {
  const table = qualifiedName(model);
  const names = columns.map(quoteName).join(', ');
  const same = columns
    .map((name) => `made.${quoteName(name)} IS NOT DISTINCT FROM stored.${quoteName(name)}`)
    .join(' AND ');
  const changed = `${changedRows(model)} WHERE part = ${quoteText(part)}`;
  const [counts] = await session.rows<Moved>(`
    INSERT INTO ${changedRows(model)}
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, ${names} FROM ${table} WHERE ${where}),
    made AS MATERIALIZED (SELECT ${names} FROM (${made}) AS model WHERE ${where})
    SELECT ${quoteText(part)}, * FROM stored ANTI JOIN made ON ${same}
    UNION ALL
    SELECT ${quoteText(part)}, NULL, * FROM made ANTI JOIN stored ON ${same};
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM ${changed}`);
  const { gone = 0, come = 0 } = counts ?? {};
  if (gone > 0) await session.run(`DELETE FROM ${table} WHERE rowid IN (SELECT stored_row FROM ${changed})`);
  if (come > 0) {
    await session.run(`INSERT INTO ${table} (${names}) SELECT ${names} FROM ${changed} AND stored_row IS NULL`);
  }
  return { gone, come };
}

/**
 * Adds rows to a stored model, each once, but those that it has. They are looked for by what they are: to compare them with all that the model
 * has takes longer.
 * @param rows Its condition is on what makes them; no value is unknown.
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
    INSERT INTO ${changedRows(model)} (part, ${names}) SELECT ${quoteText(part)}, * FROM (VALUES (${come.join('), (')}))`);
  return { gone: 0, come: come.length };
}
