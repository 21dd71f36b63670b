import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { assertSameContent } from '../../src/cluster/build/content-sum.ts';
import { importTable } from '../../src/cluster/build/lake-results.ts';
import type { Model } from '../../src/numbers/model/models.ts';
import { fakeClient } from './fake-coordinator.ts';
import { versionIn } from './version.ts';

const model = (schema: string, name: string): Model => ({
  schema,
  name,
  file: '',
  comment: '',
  storage: 'table',
  select: '',
  reads: [],
});

const LEDGER = model('core', 'ledger');

let folder: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-lake-'));
  database = await openDatabase(':memory:');
  await database.run(`
    CREATE SCHEMA core;
    CREATE TABLE core.ledger (kind ENUM('scheduled', 'actual'), date DATE, month DATE, hours DECIMAL(9, 4))`);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Writes a file of the lake, and returns its row of the listing. */
async function write(name: string, select: string, month = ''): Promise<unknown[]> {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  await database.run(`COPY (${select}) TO ${quoteText(path)} (FORMAT parquet)`);
  return [`local:///${name}`, statSync(path).size, month];
}

const january = () =>
  write(
    'core/month=2026-01-01/a.parquet',
    "SELECT * FROM (VALUES ('actual', DATE '2026-01-09', DATE '2026-01-01', 1.5000::DECIMAL(38, 4)), ('scheduled', DATE '2026-01-05', DATE '2026-01-01', 8)) AS rows (kind, date, month, hours)",
    '2026-01-01',
  );
const february = () =>
  write(
    'core/month=2026-02-01/b.parquet',
    "SELECT DATE '2026-02-01' AS month, 'scheduled' AS kind, DATE '2026-02-02' AS date, 2::DECIMAL(38, 4) AS hours",
    '2026-02-01',
  );

describe('a table from the cluster', () => {
  it('has the rows of all files, each kind by date, by the names of the columns', async () => {
    const { client, statements } = fakeClient(() => files);
    const files = [await february(), await january()];
    await importTable(database, client, versionIn(folder), LEDGER);
    expect(
      await database.rows(
        'SELECT kind, CAST(date AS VARCHAR) AS date, CAST(hours AS VARCHAR) AS hours FROM core.ledger',
      ),
    ).toEqual([
      { kind: 'scheduled', date: '2026-01-05', hours: '8.0000' },
      { kind: 'scheduled', date: '2026-02-02', hours: '2.0000' },
      { kind: 'actual', date: '2026-01-09', hours: '1.5000' },
    ]);
    expect(statements[0]).toContain('"acme_20260101t120000z_0123abcd_core"."ledger$files"');
  });

  it('is refused if a file is missing, cut off or elsewhere', async () => {
    const listed = await january();
    const importListed = (row: unknown[]) =>
      importTable(database, fakeClient(() => [row]).client, versionIn(folder), LEDGER);
    for (const address of ['s3://other/a.parquet', 'local:///v1/../../a.parquet'])
      await expect(importListed([address, 1, ''])).rejects.toThrow('is not in the lake local:///');
    await expect(importListed(['local:///core/c.parquet', 1, ''])).rejects.toThrow(
      'A file of core.ledger is missing: ',
    );
    const path = join(folder, 'core/month=2026-01-01/a.parquet');
    truncateSync(path, 100);
    await expect(importListed(listed)).rejects.toThrow(`has 100 bytes instead of ${listed[1]}: ${path}`);
    await expect(importListed([listed[0], 100, '2026-01-01'])).rejects.toMatchObject({
      message: expect.stringContaining("can't be read"),
      hint: expect.stringContaining('Nothing was published'),
    });
  });
});

it('a table with another checksum than on the cluster is refused', async () => {
  await database.run("INSERT INTO core.ledger VALUES ('actual', '2026-01-09', '2026-01-01', 1.5)");
  const compare = (rows: unknown[][]) =>
    assertSameContent(database, fakeClient(() => rows).client, versionIn(folder).place, ['core.ledger']);
  const [sum] = await database.rows<{ sum: string }>(
    "SELECT CAST(CAST('0x' || substr(md5('actual|2026-01-09|2026-01-01|1.5'), 1, 15) AS BIGINT) AS VARCHAR) AS sum",
  );
  await compare([['core.ledger', '1', sum?.sum]]);
  await expect(compare([['core.ledger', '1', '7']])).rejects.toMatchObject({
    code: 'cluster',
    message: `core.ledger is not the same here and on the cluster: 1 rows with other values (checksum ${sum?.sum} here, 7 there)`,
    hint: expect.stringContaining('load again'),
  });
  await expect(compare([['core.ledger', '2', '7']])).rejects.toThrow('1 rows here, and 2 there');
  await expect(compare([])).rejects.toThrow('1 rows here, and 0 there');
});
