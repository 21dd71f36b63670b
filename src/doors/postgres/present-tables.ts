import { quoteName } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { PostgresSession } from './connect.ts';
import { groupRows } from './mart-tables.ts';

export interface PresentSchema {
  /** The version that the tables have; undefined before the first. */
  readonly version: PresentVersion | undefined;
  readonly tables: ReadonlyMap<string, PresentTable>;
  readonly constraints: ReadonlySet<string>;
}

export interface PresentVersion {
  readonly data_version: string;
  readonly has_rates: boolean;
  /** The tables that are Plumbline's. */
  readonly marts: readonly string[];
}

export interface PresentTable {
  readonly comment: string | null;
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly comment: string | null }>;
}

/** The table of one row that names the data version of all others. */
export const VERSION = 'version';

/** The comment by which a schema is known as Plumbline's. */
export const VERSION_COMMENT = 'The data version that Plumbline has published into this schema. One row.';

export function qualify(schema: string, name: string): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Reads the tables of a schema. @throws AppError source when it is another program's. */
export async function readPresent(
  session: PostgresSession,
  schema: string,
  marts: readonly string[],
): Promise<PresentSchema> {
  const { rows } = await session.query<{
    relation: string;
    relation_comment: string | null;
    name: string | null;
    type: string;
    comment: string | null;
  }>(
    `SELECT relname AS relation, obj_description(pg_class.oid, 'pg_class') AS relation_comment, attname AS name,
       format_type(atttypid, atttypmod) AS type, col_description(pg_class.oid, attnum) AS comment
     FROM pg_catalog.pg_class
     JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
     LEFT JOIN pg_catalog.pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
     WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'm', 'f')
     ORDER BY relname, attnum`,
    [schema],
  );
  const relations = groupRows(rows, ({ relation }) => relation);
  const isOurs = relations.get(VERSION)?.[0]?.relation_comment === VERSION_COMMENT;
  const [other] = relations.keys();
  if (!isOurs && other !== undefined) refuseSchema(schema, `has ${other}, and no table ${VERSION} of Plumbline`);
  const version = isOurs ? await readVersion(session, schema) : undefined;
  const own = version?.marts ?? [];
  const foreign = marts.find((mart) => relations.has(mart) && !own.includes(mart));
  if (foreign !== undefined) refuseSchema(schema, `has ${foreign}, which Plumbline didn't make`);
  const { rows: constraints } = await session.query<{ name: string }>(
    `SELECT conname AS name FROM pg_catalog.pg_constraint
     JOIN pg_catalog.pg_namespace ON pg_namespace.oid = connamespace WHERE nspname = $1`,
    [schema],
  );
  const tables = [...relations].filter(([name]) => own.includes(name));
  return {
    version,
    tables: new Map(tables.map(([name, columns]) => [name, tableOf(columns)])),
    constraints: new Set(constraints.map(({ name }) => name)),
  };
}

function tableOf(
  rows: readonly { relation_comment: string | null; name: string | null; type: string; comment: string | null }[],
): PresentTable {
  const columns = rows.flatMap(({ name, type, comment }) =>
    name === null ? [] : [[name, { type, comment }] as const],
  );
  return { comment: rows[0]?.relation_comment ?? null, columns: new Map(columns) };
}

async function readVersion(session: PostgresSession, schema: string): Promise<PresentVersion | undefined> {
  const { rows } = await session.query<PresentVersion>(
    `SELECT data_version, has_rates, marts FROM ${qualify(schema, VERSION)}`,
  );
  return rows[0];
}

function refuseSchema(schema: string, why: string): never {
  throw new AppError('source', `The schema ${schema} ${why}, so it is another program's`, {
    hint: 'Name another schema: Plumbline makes it.',
  });
}
