import { join } from 'node:path';
import { packageDirectory } from '../config/package.ts';
import type { Database, ViewCatalog } from '../database/database.ts';
import { readFunctions } from '../model/engine/duckdb.ts';
import {
  type PartMember,
  partKey,
  partViews,
  type ReaderPart,
  selectMembers,
  selectPartNames,
} from '../report/source/part-views.ts';
import { tupleKey } from '../tuple-key.ts';

/**
 * Shows a part of a database to a session, whose statements then read nothing else.
 * @param dataVersion The version of the data that the session reads.
 * @param all The name of the database in statements. Default: that of the open file.
 * @returns the name of the part in statements, and a function that gives it back, which must be called after the last of them.
 */
export async function showPart(
  session: Database,
  part: ReaderPart,
  dataVersion: string,
  all?: string,
): Promise<ViewCatalog> {
  const whole = all ?? (await currentDatabase(session));
  const views = await session.views(tupleKey(whole, dataVersion, partKey(part)), async () => {
    const select = selectMembers(part, whole);
    const people = await session.rows<PartMember>(select.people);
    const projects = await session.rows<PartMember>(select.projects);
    return [
      ...readFunctions(join(packageDirectory, 'sql')),
      ...partViews(part, whole, { people, projects }, await readColumns(session, whole)),
    ];
  });
  await session.run(`USE ${views.catalog}`);
  return views;
}

/** Reads the names of what a part is limited to, as far as they are in it. @param session Reads the part. */
export async function readPartNames(session: Database, part: ReaderPart): Promise<string[]> {
  const rows = await session.rows<{ name: string }>(selectPartNames(part));
  return rows.map(({ name }) => name);
}

async function currentDatabase(session: Database): Promise<string> {
  const [row] = await session.rows<{ name: string }>('SELECT current_database() AS name');
  return row?.name ?? '';
}

/** Reads the columns of the relations of a database, by their qualified names. */
async function readColumns(session: Database, database: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await session.rows<{ relation: string; columns: string }>(
    `SELECT CONCAT(schema_name, '.', table_name) AS relation, string_agg(column_name, ' ') AS columns
     FROM duckdb_columns() WHERE database_name = $database GROUP BY relation`,
    { database },
  );
  return new Map(rows.map(({ relation, columns }) => [relation, columns.split(' ')]));
}
