import { type Database, quoteText } from '../../base/database/index.ts';
import type { ListedRelation, RelationDescription } from '../registry/listed-relation.ts';

/*
 * Relations that are in no file: that of a state would lack what came after it. The parent lists their rows, only for statements
 * that may read them. One without a schema becomes a name of WITH.
 */

/** The rows of the relations that a statement may read, as JSON, by their names. */
export type ListedRows = Readonly<Record<string, string>>;

/** Returns the relations with a schema, which is a database in memory beside the file. */
export function withSchema(relations: readonly RelationDescription[]): string[] {
  return relations.map(({ name }) => name).filter((name) => name.includes('.'));
}

/** Lists the rows of the relations that a statement may read. */
export async function readListed(
  sql: string,
  relations: readonly ListedRelation[],
  database: string,
): Promise<ListedRows> {
  const mayRead = (name: string) => name.split('.').every((word) => new RegExp(`\\b${word}\\b`, 'i').test(sql));
  const rows: Record<string, string> = {};
  for (const { name, list } of relations) if (mayRead(name)) rows[name] = JSON.stringify(await list(database));
  return rows;
}

/** Attaches the schemas of relations; nothing can be attached after the configuration is locked. */
export async function attachListed(database: Database, relations: readonly RelationDescription[]): Promise<void> {
  const schemas = new Set(withSchema(relations).map((name) => name.slice(0, name.indexOf('.'))));
  for (const schema of schemas) await database.run(`ATTACH ':memory:' AS ${schema} (READ_WRITE)`);
}

/** Gives a statement its relations. @returns the names of WITH around it, and that WITH. */
export async function giveListed(
  database: Database,
  relations: readonly RelationDescription[],
  rows: ListedRows,
): Promise<{ readonly names: readonly string[]; readonly prefix: string }> {
  const selects = new Map<string, string>();
  for (const { name, columns } of relations) {
    const json = rows[name];
    if (json === undefined) continue;
    const structure = quoteText(JSON.stringify([columns]));
    const select = `SELECT unnest(from_json(${quoteText(json)}, ${structure}), recursive := true)`;
    if (name.includes('.')) await database.run(`CREATE OR REPLACE TABLE ${name} AS ${select}`);
    else selects.set(name, select);
  }
  const list = [...selects].map(([name, select]) => `${name} AS (${select})`).join(', ');
  return { names: [...selects.keys()], prefix: list === '' ? '' : `WITH ${list}\n` };
}
