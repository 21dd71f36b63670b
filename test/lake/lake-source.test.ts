import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { readSource, type SourceFile } from '../../src/cluster/build/lake-source.ts';
import { ingestFiles } from '../../src/records/ingest/ingest.ts';
import { fakeClient } from './fake-coordinator.ts';
import { versionIn } from './version.ts';

const SOURCE = { schema: 'raw', resources: { people: ['people_id'], logged_time: ['logged_time_id'] } };

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
  database = await openDatabase(':memory:');
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** A cluster whose schema has tables of people, time and something else; the copy of each has one file. */
async function openSource(names: readonly string[] = ['people', 'Orders', 'logged-time'], repeated?: string) {
  const copies: Record<string, string> = {
    people: "SELECT 1::BIGINT AS people_id, 'Ann' AS name",
    'logged-time': `SELECT 'T1' AS logged_time_id, 1 AS people_id, DATE '2026-01-05' AS date, 7.5::DECIMAL(9, 4) AS hours`,
  };
  for (const [name, select] of Object.entries(copies))
    await database.run(`COPY (${select}) TO ${quoteText(join(folder, `${name}.parquet`))} (FORMAT parquet)`);
  return fakeClient((sql) => {
    if (sql.startsWith('SHOW TABLES')) return names.map((name) => [name]);
    if (sql.startsWith('DESCRIBE')) return [['people_id', 'bigint']];
    if (sql.includes('GROUP BY id')) return repeated === undefined ? [] : [[repeated]];
    const [, name] = /"([^"]+)\$files"/.exec(sql) ?? [];
    return name === undefined ? [] : [[`local:///${name}.parquet`, statSync(join(folder, `${name}.parquet`)).size, '']];
  });
}

it('copies of the tables that are named after resources are read as the files of a dataset', async () => {
  const { client, statements } = await openSource();
  const ingest = (found: readonly SourceFile[], ignored: readonly string[]) => {
    const files = found.map((file, index) => ({ ...file, number: index + 1, format: 'parquet' as const }));
    return ingestFiles(database, { files, ignored });
  };
  const summary = await readSource(client, versionIn(folder), SOURCE, ingest);
  expect(summary.ignoredFiles).toEqual(['raw.Orders']);
  expect(await database.rows('SELECT file, records FROM source.files')).toEqual([
    { file: 'raw.people', records: 1 },
    { file: 'raw.logged-time', records: 1 },
  ]);
  expect(await database.rows('SELECT people_id, CAST(hours AS VARCHAR) AS hours FROM source.logged_time')).toEqual([
    { people_id: 1, hours: '7.500000' },
  ]);
  const copy = '"lake"."acme_20260101t120000z_0123abcd_incoming"."people"';
  expect(statements).toContain(`CREATE TABLE ${copy} WITH (format = 'PARQUET') AS SELECT * FROM "lake"."raw"."people"`);
});

it('a schema without tables of any resource is refused', async () => {
  const { client, statements } = await openSource(['orders']);
  await expect(readSource(client, versionIn(folder), SOURCE, async () => undefined)).rejects.toMatchObject({
    message: '"lake"."raw" holds no table or view of any resource',
    hint: expect.stringContaining('people, '),
  });
  expect(statements).toEqual(['SHOW TABLES FROM "lake"."raw"']);
});

it('rows with one id are refused: none of them is the last', async () => {
  const { client, statements } = await openSource(['people'], '7');
  await expect(readSource(client, versionIn(folder), SOURCE, async () => undefined)).rejects.toMatchObject({
    message: 'raw.people has several rows with the people_id 7',
    hint: expect.stringContaining('Keep one row for each id'),
  });
  expect(statements.at(-1)).toContain('COALESCE(NULLIF(CAST("people_id" AS VARCHAR), \'\'), NULL) AS id');
});
