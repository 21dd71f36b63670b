import type { DatabaseError } from 'pg';
import { quoteName, quoteText } from '../../base/database/index.ts';
import { AppError, formatForeign } from '../../base/index.ts';
import type { PostgresSession } from './connect.ts';
import { isCost, type MartTable } from './mart-tables.ts';
import { type PresentSchema, type PresentTable, qualify, VERSION, VERSION_COMMENT } from './present-tables.ts';

/** The codes of PostgreSQL for something that others depend on: a column that would go, and one that would get another type. */
const DEPENDED = ['2BP01', '0A000'];

/** The code of PostgreSQL for a lock that wasn't free in time. */
const LOCKED = '55P03';

/** A column that is no longer in its mart. */
export interface GoneColumn {
  readonly mart: string;
  readonly column: string;
  readonly isCost: boolean;
}

/** Makes the schema, and its table of the version. */
export async function makeSchema(session: PostgresSession, schema: string): Promise<void> {
  const version = qualify(schema, VERSION);
  const { rows } = await session.query('SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await session.query(`CREATE SCHEMA ${quoteName(schema)}`);
  await session.query(`CREATE TABLE IF NOT EXISTS ${version}
    (data_version text NOT NULL, has_rates boolean NOT NULL, marts text[] NOT NULL, published_at timestamptz NOT NULL)`);
  await session.query(`COMMENT ON TABLE ${version} IS ${quoteText(VERSION_COMMENT)}`);
}

/**
 * Widens tables by new columns, in a short transaction of its own: these locks would let readers wait.
 * @returns the marts whose tables got columns, which have no values yet.
 * @throws AppError source with the names of what depends on a column that must get another type.
 */
export async function widenTables(
  session: PostgresSession,
  schema: string,
  marts: readonly MartTable[],
  present: PresentSchema,
): Promise<ReadonlySet<string>> {
  const widened = new Set<string>();
  await session.query('BEGIN');
  for (const mart of marts) {
    const table = present.tables.get(mart.name);
    for (const { name, type } of table ? mart.columns : []) {
      const found = table?.columns.get(name);
      if (found?.type === type) continue;
      const column = quoteName(name);
      const change = found
        ? `ALTER COLUMN ${column} TYPE ${type} USING ${column}::${type}`
        : `ADD COLUMN ${column} ${type}`;
      await session.query(`ALTER TABLE ${qualify(schema, mart.name)} ${change}`).catch((error: unknown) => {
        throw dependedError(`The type of ${schema}.${mart.name}.${name} must become ${type}`, error);
      });
      if (!found) widened.add(mart.name);
    }
  }
  await session.query('COMMIT');
  return widened;
}

/** Creates the table of a mart, without its keys. */
export async function createTable(
  session: PostgresSession,
  schema: string,
  { name, columns, key }: MartTable,
): Promise<void> {
  const list = columns.map(
    (column) => `${quoteName(column.name)} ${column.type}${key.includes(column.name) ? ' NOT NULL' : ''}`,
  );
  await session.query(`CREATE TABLE ${qualify(schema, name)} (${list.join(', ')})`);
}

/** Sets the comments that differ. */
export async function commentTable(
  session: PostgresSession,
  schema: string,
  { name, comment, columns }: MartTable,
  present: PresentTable | undefined,
): Promise<void> {
  const table = qualify(schema, name);
  const statements = [
    ...(present?.comment === comment ? [] : [`COMMENT ON TABLE ${table} IS ${quoteText(comment)}`]),
    ...columns
      .filter((column) => present?.columns.get(column.name)?.comment !== column.comment)
      .map((column) => `COMMENT ON COLUMN ${table}.${quoteName(column.name)} IS ${quoteText(column.comment)}`),
  ];
  if (statements.length > 0) await session.query(statements.join(';\n'));
}

/** Adds the keys that tables lack: primary ones, then those of the star, which PostgreSQL checks at the end of a transaction. */
export async function addKeys(
  session: PostgresSession,
  schema: string,
  marts: readonly MartTable[],
  { constraints }: PresentSchema,
): Promise<void> {
  const add = async (mart: string, name: string, definition: string) => {
    if (constraints.has(name)) return;
    await session.query(`ALTER TABLE ${qualify(schema, mart)} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
  };
  for (const { name, key } of marts)
    if (key.length > 0) await add(name, `${name}_pkey`, `PRIMARY KEY (${key.map(quoteName).join(', ')})`);
  for (const { name, refers } of marts) {
    for (const [column, other] of Object.entries(refers)) {
      const [key = ''] = marts.find((mart) => mart.name === other)?.key ?? [];
      if (key === '') continue;
      const target = `${qualify(schema, other)} (${quoteName(key)})`;
      const definition = `FOREIGN KEY (${quoteName(column)}) REFERENCES ${target} DEFERRABLE INITIALLY DEFERRED`;
      await add(name, `${name}_${column}_fkey`, definition);
    }
  }
}

/** Lists the columns that tables have and their marts don't. */
export function findGone(marts: readonly MartTable[], { tables }: PresentSchema): GoneColumn[] {
  return marts.flatMap(({ name: mart, columns }) => {
    const kept = new Set(columns.map(({ name }) => name));
    const gone = [...(tables.get(mart)?.columns.keys() ?? [])].filter((column) => !kept.has(column));
    return gone.map((column) => ({ mart, column, isCost: isCost(mart, column) }));
  });
}

/** Empties a column of costs, whatever depends on it. */
export async function emptyColumn(
  session: PostgresSession,
  schema: string,
  { mart, column }: GoneColumn,
): Promise<void> {
  const name = quoteName(column);
  await session.query(`UPDATE ${qualify(schema, mart)} SET ${name} = NULL WHERE ${name} IS NOT NULL`);
  // The statistics of the table hold some of its amounts, and readers of the table see them in pg_stats.
  await session.query(`ANALYZE ${qualify(schema, mart)} (${name})`);
}

/**
 * Drops a column, if nothing depends on it.
 * @returns the error to throw when the transaction is committed: that of a column of costs, which is empty by now.
 * @throws AppError source with the names of what depends on any other column.
 */
export async function dropColumn(
  session: PostgresSession,
  schema: string,
  gone: GoneColumn,
): Promise<AppError | undefined> {
  const { mart, column } = gone;
  await session.query('SAVEPOINT drop_column');
  try {
    await session.query(`ALTER TABLE ${qualify(schema, mart)} DROP COLUMN ${quoteName(column)}`);
    return undefined;
  } catch (error) {
    const state = gone.isCost ? 'It has no values any more.' : 'The tables are as before.';
    const failure = dependedError(`The column ${schema}.${mart}.${column} must go`, error, state);
    if (!gone.isCost || !(failure instanceof AppError)) throw failure;
    await session.query('ROLLBACK TO SAVEPOINT drop_column');
    return failure;
  }
}

/** Returns the error of a column that can't be changed, with the names of what depends on it; any other error unchanged. */
function dependedError(what: string, error: unknown, state = 'The tables are as before.'): unknown {
  const { code = '', detail = '' } = error as Partial<DatabaseError>;
  if (code === LOCKED) {
    return new AppError('source', `${what}, and somebody who reads the table holds it`, {
      hint: `${state} It is tried again.`,
      cause: error,
    });
  }
  if (!DEPENDED.includes(code)) return error;
  return new AppError('source', `${what}, and others depend on it: ${formatForeign(detail)}`, {
    hint: `${state} Change or drop what depends on the column, and create it again afterwards.`,
    cause: error,
  });
}
