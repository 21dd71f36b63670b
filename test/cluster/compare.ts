import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { builtFile } from '../../src/base/config/package.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { assertSameContent } from '../../src/cluster/build/content-sum.ts';
import type { TrinoClient } from '../../src/cluster/trino/trino-client.ts';
import type { TrinoPlace } from '../../src/cluster/trino/trino-engine.ts';
import { loadModels, qualifiedName } from '../../src/numbers/model/models.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { openAnyGeneration } from '../../src/store/generation/open-generation.ts';

const run = promisify(execFile);

export const PROGRAM = builtFile('main.js');

/** Reports that read every stored table. */
const REPORTS = [
  'projects --cutoff-date 2026-03-31',
  'pivot --group-by project,phase --cutoff-date 2026-03-31',
  'people --interval month --cutoff-date 2026-03-31',
  'pivot --group-by client,month --cutoff-date 2026-03-31',
  'lines --limit 100000',
  'data-quality',
];

/** The tables, views, macros, types and indexes of an attached database, but for the table that tells its version. */
const definitionsOf = (name: string) => `
  SELECT 'table ' || schema_name || '.' || table_name AS name, sql, comment FROM duckdb_tables() WHERE database_name = '${name}' AND table_name <> 'generation'
  UNION ALL SELECT 'view ' || schema_name || '.' || view_name, sql, comment FROM duckdb_views() WHERE database_name = '${name}'
  UNION ALL SELECT 'macro ' || function_name, macro_definition, comment FROM duckdb_functions() WHERE database_name = '${name}'
  UNION ALL SELECT 'type ' || schema_name || '.' || type_name, CAST(labels AS VARCHAR), comment FROM duckdb_types() WHERE database_name = '${name}'
  UNION ALL SELECT 'index ' || index_name, sql, comment FROM duckdb_indexes() WHERE database_name = '${name}'`;

/**
 * Compares two published files and their copies without rates: definitions, relations, and reports.
 * @returns a summary.
 */
export async function compareFiles(one: string, other: string): Promise<string> {
  const [relations, rows] = await compareContents(one, other);
  await compareContents(fileWithoutRates(one), fileWithoutRates(other));
  for (const report of REPORTS) {
    const [name = '', ...flags] = report.split(' ');
    const dates = ['--start-date', '2025-07-01', '--end-date', '2026-06-30'];
    const read = async (file: string) => {
      const args = [PROGRAM, 'report', name, ...dates, ...flags, '--format', 'csv', '--database', file];
      return (await run(process.execPath, args, { maxBuffer: 2 ** 28 })).stdout;
    };
    const expected = await read(one);
    expect((await read(other)) === expected, report).toBe(true);
  }
  return `${relations} relations with ${rows} rows and ${REPORTS.length} reports are equal`;
}

/** Returns the number of relations, and of their rows. */
async function compareContents(one: string, other: string): Promise<readonly [number, number]> {
  const database = await openDatabase(':memory:');
  try {
    await database.run(`ATTACH '${one}' AS one (READ_ONLY); ATTACH '${other}' AS other (READ_ONLY)`);
    const definitions = `SELECT * FROM (${definitionsOf('one')}) EXCEPT ALL SELECT * FROM (${definitionsOf('other')})`;
    expect(await database.rows(definitions)).toEqual([]);
    const relations = await database.rows<{ name: string }>(`
      SELECT DISTINCT table_schema || '."' || table_name || '"' AS name FROM information_schema.tables
      WHERE table_catalog = 'one' AND table_name <> 'generation'`);
    let rows = 0;
    for (const { name } of relations) rows += await compareRows(database, name);
    return [relations.length, rows];
  } finally {
    await database.close();
  }
}

async function compareRows(database: Database, name: string): Promise<number> {
  const [counted] = await database.rows<{ rows: number; left: number; right: number }>(`
    SELECT (SELECT count(*) FROM one.${name}) AS rows,
      (SELECT count(*) FROM (FROM one.${name} EXCEPT ALL FROM other.${name})) AS left,
      (SELECT count(*) FROM (FROM other.${name} EXCEPT ALL FROM one.${name})) AS right`);
  expect(counted, name).toMatchObject({ left: 0, right: 0 });
  return counted?.rows ?? 0;
}

/**
 * Compares all models of a published file with the tables that readers of the lake find: the file's views are computed
 * by DuckDB, and their tables in the lake by the cluster.
 * @param left Relations that differ, with their schemas.
 * @returns a summary.
 */
export async function compareLake(
  file: string,
  client: TrinoClient,
  place: TrinoPlace,
  left: readonly string[] = [],
): Promise<string> {
  const database = await openAnyGeneration(file, {});
  try {
    const names = (await loadModels(database, sqlDirectory)).map(qualifiedName);
    const models = names.filter((name) => !left.includes(name));
    await assertSameContent(database, client, place, models);
    return `${models.length} tables of the lake are equal`;
  } finally {
    await database.close();
  }
}
