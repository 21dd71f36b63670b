import { type Database, quoteText } from '../../base/database/index.ts';
import { type FindRecords, type ForeignRecord, MERGED_RESOURCES } from '../../records/ingest/index.ts';
import { resources } from '../../records/resource/index.ts';

/*
 * Rows of files, such as rates, may describe records that are here and in no file. The ids of those are a file of their own, because
 * another process reads the files of a load. `foreign_records` has the ids of the records that rows have described so.
 */

/**
 * Writes the ids of the live records that rows of files may describe.
 * @param isAgain True to leave out those that the loads before have made, attached as `loaded`: without their files they are gone.
 */
export async function writeHere(session: Database, path: string, isAgain: boolean): Promise<void> {
  const ids = resources
    .filter(({ name }) => MERGED_RESOURCES.has(name))
    .map(({ name, table, id }) => {
      const foreign = `SELECT record_id FROM loaded.source.foreign_records WHERE resource = ${quoteText(name)}`;
      const loaded = `SELECT ${id} FROM loaded.${table} WHERE CAST(${id} AS VARCHAR) NOT IN (${foreign})`;
      return `SELECT ${quoteText(name)} AS resource, CAST(${id} AS VARCHAR) AS id FROM ${table}
        ${isAgain ? `WHERE ${id} NOT IN (${loaded})` : ''}`;
    });
  await session.run(`COPY (${ids.join('\nUNION ALL\n')}) TO ${quoteText(path)} (FORMAT parquet)`);
}

/** Returns the search in the ids that writeHere has written. */
export function openFindRecords(database: Database, path: string): FindRecords {
  return async ({ name }, ids) => {
    const rows = await database.rows<{ id: string }>(`
      SELECT id FROM read_parquet(${quoteText(path)}) WHERE resource = ${quoteText(name)}
        AND id IN (SELECT unnest(from_json(${quoteText(JSON.stringify(ids))}, '["VARCHAR"]')))`);
    return new Set(rows.map(({ id }) => id));
  };
}

/** Stores which records are in a database only because rows describe them: no file makes them. */
export async function noteForeign(database: Database, foreign: readonly ForeignRecord[]): Promise<void> {
  await database.run('CREATE TABLE source.foreign_records (resource VARCHAR, record_id VARCHAR)');
  if (foreign.length === 0) return;
  await database.run(`INSERT INTO source.foreign_records
    SELECT each.resource, each.id FROM (SELECT unnest(from_json(${quoteText(JSON.stringify(foreign))},
      '[{"resource": "VARCHAR", "id": "VARCHAR"}]')) AS each)`);
}
