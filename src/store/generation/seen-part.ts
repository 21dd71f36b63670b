import type { Database, ViewCatalog } from '../../base/database/index.ts';
import { tupleKey } from '../../base/index.ts';
import { readFunctions } from '../../numbers/model/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import {
  type PartMember,
  partKey,
  partViews,
  type ReaderPart,
  selectMembers,
  selectPartNames,
} from '../../numbers/report/source/index.ts';

/**
 * Shows a part of a database to a reader, whose statements read nothing else: a session is the reader itself.
 * @param dataVersion The version of the data in the database.
 * @param all The name of the database in statements. Default: that of the open file.
 * @returns also the name of the part in statements, and a function that gives it back, which must be called after the reader is closed.
 */
export async function showPart(
  database: Database,
  part: ReaderPart,
  dataVersion: string,
  all?: string,
): Promise<ViewCatalog & { readonly reader: Database }> {
  const whole = all ?? (await currentDatabase(database));
  const views = await database.views(tupleKey(whole, dataVersion, partKey(part)), async () => {
    const select = selectMembers(part, whole);
    const people = await database.rows<PartMember>(select.people);
    const projects = await database.rows<PartMember>(select.projects);
    return [
      ...readFunctions(sqlDirectory),
      ...partViews(part, whole, { people, projects }, await readColumns(database, whole)),
    ];
  });
  return { ...views, reader: await database.reader(views.catalog) };
}

/** Reads the names of what a part is limited to, as far as they are in it. */
export async function readPartNames(reader: Database, part: ReaderPart): Promise<string[]> {
  const rows = await reader.rows<{ name: string }>(selectPartNames(part));
  return rows.map(({ name }) => name);
}

async function currentDatabase(database: Database): Promise<string> {
  const [row] = await database.rows<{ name: string }>('SELECT current_database() AS name');
  return row?.name ?? '';
}

/** Reads the columns of the relations of a database, by their qualified names. */
async function readColumns(database: Database, name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await database.rows<{ relation: string; columns: string }>(
    `SELECT CONCAT(schema_name, '.', table_name) AS relation, string_agg(column_name, ' ') AS columns
     FROM duckdb_columns() WHERE database_name = $name GROUP BY relation`,
    { name },
  );
  return new Map(rows.map(({ relation, columns }) => [relation, columns.split(' ')]));
}
