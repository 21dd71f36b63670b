/*
 * The door of this room: marts as tables of a schema in PostgreSQL, all of one data version (D6). `mart-tables` lists what should
 * be, `present-tables` what is there, `shape-tables` takes the one to the other, `changed-rows` finds rows that differ in the
 * engine, and `write-rows` writes them. `published-copy` keeps the database that was published last, for the next comparison.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, quoteName } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { type ConversationTime, USUAL_TIME } from '../counterpart/converse.ts';
import { type WrittenRows, writeMartRows } from './changed-rows.ts';
import { type PostgresSession, withPostgres } from './connect.ts';
import { type MartTable, readMartTables } from './mart-tables.ts';
import { type PresentSchema, qualify, readPresent, VERSION } from './present-tables.ts';
import {
  addKeys,
  commentTable,
  createTable,
  dropColumn,
  emptyColumn,
  findGone,
  makeSchema,
  widenTables,
} from './shape-tables.ts';
import { changeRows, fillTable } from './write-rows.ts';

export interface PublishedSource {
  /** The database, or its copy without rates. */
  readonly database: Database;
  readonly dataVersion: string;
  readonly hasRates: boolean;
  /** Finds the catalog of an earlier data version in the database; undefined if that isn't there any more. */
  readonly findEarlier: (dataVersion: string) => Promise<string | undefined>;
  readonly folder: string;
  /** Runs work of the engine, which may have to wait for its turn. */
  readonly compute: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface PostgresTarget {
  readonly url: string;
  readonly schema: string;
  /** Undefined for all. */
  readonly marts: readonly string[] | undefined;
  /** Roles that may read the tables. */
  readonly readers: readonly string[];
}

export interface PublishedMarts {
  readonly tables: number;
  /** The rows that were written, or deleted. */
  readonly rows: number;
}

/** Publishes marts: all in one transaction. @throws AppError source that says why not. */
export async function publishMarts(
  source: PublishedSource,
  target: PostgresTarget,
  time: ConversationTime = USUAL_TIME,
): Promise<PublishedMarts> {
  const { schema } = target;
  return withPostgres(target.url, time, async (session) => {
    await lockSchema(session, schema);
    const all = await readMartTables(source.database);
    const present = await readPresent(
      session,
      schema,
      all.map(({ name }) => name),
    );
    // A table that nobody names any more stays, and so do its keys: it goes on to have the version of the others.
    const marts = all.filter(({ name }) => !target.marts || target.marts.includes(name) || present.tables.has(name));
    const widened = await widenTables(session, schema, marts, present);
    return publishVersion({ session, source, target, present, marts, widened });
  });
}

/** A publication into a schema whose tables have room for it. */
interface Publication {
  readonly session: PostgresSession;
  readonly source: PublishedSource;
  readonly target: PostgresTarget;
  readonly present: PresentSchema;
  readonly marts: readonly MartTable[];
  /** The marts whose tables got columns without values. */
  readonly widened: ReadonlySet<string>;
}

async function publishVersion(publication: Publication): Promise<PublishedMarts> {
  const { session, target, present, marts } = publication;
  const { schema } = target;
  const gone = findGone(marts, present);
  await session.query('BEGIN');
  if (!present.version) await makeSchema(session, schema);
  for (const column of gone) if (column.isCost) await emptyColumn(session, schema, column);
  let rows = 0;
  const earlier = await findEarlier(publication);
  for (const mart of marts) rows += await publishTable(publication, mart, earlier);
  for (const name of present.tables.keys())
    if (!marts.some((mart) => mart.name === name)) await session.query(`DELETE FROM ${qualify(schema, name)}`);
  // Tables with checks to come can't be changed.
  await session.query('SET CONSTRAINTS ALL IMMEDIATE');
  await addKeys(session, schema, marts, present);
  await writeVersion(publication);
  await grantReading(session, target, marts);
  const failures: AppError[] = [];
  for (const column of gone) {
    const failure = await dropColumn(session, schema, column);
    if (failure) failures.push(failure);
  }
  await session.query('COMMIT');
  const [failure] = failures;
  if (failure) throw failure;
  return { tables: marts.length, rows };
}

/** Returns the catalog of the version that the tables have, to be compared with. */
async function findEarlier({ source, present: { version } }: Publication): Promise<string | undefined> {
  if (version?.has_rates !== source.hasRates) return undefined;
  return source.findEarlier(version.data_version);
}

async function publishTable(
  { session, source, target: { schema }, present, widened }: Publication,
  mart: MartTable,
  earlier: string | undefined,
): Promise<number> {
  const file = join(source.folder, `${mart.name}.csv`);
  const table = present.tables.get(mart.name);
  const isWhole = earlier === undefined || widened.has(mart.name);
  const rows: WrittenRows = !table ? 'all' : isWhole ? 'staged' : { earlier };
  try {
    await source.compute(() => writeMartRows(source.database, mart, rows, file));
    if (!table) await createTable(session, schema, mart);
    await commentTable(session, schema, mart, table);
    return table
      ? await changeRows(session, schema, mart, file, isWhole)
      : await fillTable(session, schema, mart, file);
  } finally {
    await rm(file, { force: true });
  }
}

async function writeVersion({ session, source, target, present, marts }: Publication): Promise<void> {
  const table = qualify(target.schema, VERSION);
  const names = [...new Set([...present.tables.keys(), ...marts.map(({ name }) => name)])];
  await session.query(`DELETE FROM ${table}`);
  await session.query(
    `INSERT INTO ${table} (data_version, has_rates, marts, published_at) VALUES ($1, $2, $3, now())`,
    [source.dataVersion, source.hasRates, names],
  );
}

/** Grants what isn't granted yet: each grant changes the catalog. */
async function grantReading(
  session: PostgresSession,
  { schema, readers }: PostgresTarget,
  marts: readonly MartTable[],
): Promise<void> {
  for (const role of readers) {
    const { rows } = await session.query<{ name: string }>(
      `SELECT name FROM unnest($3::text[]) AS name
       WHERE NOT has_table_privilege($1, format('%I.%I', $2::text, name), 'SELECT')`,
      [role, schema, [VERSION, ...marts.map(({ name }) => name)]],
    );
    await session.query(`GRANT USAGE ON SCHEMA ${quoteName(schema)} TO ${quoteName(role)}`);
    const tables = rows.map(({ name }) => qualify(schema, name));
    if (tables.length > 0) await session.query(`GRANT SELECT ON ${tables.join(', ')} TO ${quoteName(role)}`);
  }
}

/** @throws AppError busy while another process publishes into the schema. */
async function lockSchema(session: PostgresSession, schema: string): Promise<void> {
  const { rows } = await session.query<{ isFree: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('plumbline ' || $1, 0)) AS "isFree"`,
    [schema],
  );
  if (rows[0]?.isFree === true) return;
  throw new AppError('busy', `Another process publishes into the schema ${schema}`, {
    hint: 'Wait until it has ended; what is due is tried again.',
  });
}
