/** The schema of tables in PostgreSQL, unless a file or a flag names one. */
export const PUBLISHED_SCHEMA = 'plumbline';

/** Matches a name that needs no quotes in any program of SQL. */
export const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** Returns why tables can't be made in a schema; undefined if they can. */
export function findSchemaFault(schema: string): string | undefined {
  const isOwn = /^pg_|^information_schema$/.test(schema);
  return isOwn ? `is ${schema}, which belongs to PostgreSQL itself; name another schema, such as plumbline` : undefined;
}

/** Returns why a text is no address of a database of PostgreSQL; undefined if it is one. */
export function findPostgresFault(url: string): string | undefined {
  const isOne = URL.canParse(url) && ['postgres:', 'postgresql:'].includes(new URL(url).protocol);
  return isOne ? undefined : 'is no address such as postgres://host:5432/database';
}
