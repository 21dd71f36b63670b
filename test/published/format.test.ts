import { copyFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { FORMAT } from '../../src/store/generation/model-definitions.ts';
import { openPublished } from '../../src/store/generation/open-generation.ts';
import { QUARTER, serve } from '../http/served.ts';
import { loadCompany } from '../sql/company.ts';
import { priced } from './dataset.ts';

const EARLIER = 'DROP TABLE core.build';
const LATER = `UPDATE core.build SET format = ${FORMAT + 1}`;

async function change(file: string, sql: string): Promise<void> {
  for (const each of [file, fileWithoutRates(file)]) {
    const database = await openDatabase(each);
    await database.run(sql);
    await database.close();
  }
}

// When this fails because a table or column of the last release differs or went, raise FORMAT.
it('the format numbers the columns that this version reads', async () => {
  const { file, remove } = await loadCompany(priced);
  const database = await openDatabase(file, { readOnly: true });
  const relations = await database.rows<{ relation: string; columns: string }>(`
    SELECT schema_name || '.' || table_name AS relation,
      string_agg(column_name || ' ' || CASE WHEN data_type LIKE 'ENUM%' THEN 'ENUM' ELSE data_type END, ', ' ORDER BY column_index) AS columns
    FROM duckdb_columns()
    WHERE schema_name IN ('source', 'core', 'marts') AND NOT internal
    GROUP BY relation ORDER BY relation`);
  await database.close();
  remove();
  const lines = relations.map(({ relation, columns }) => `${relation}: ${columns}\n`);
  const golden = join(packageDirectory, 'test', 'published', 'format.txt');
  await expect(`format ${FORMAT}\n\n${lines.join('')}`).toMatchFileSnapshot(golden);
});

it.each([
  ['an earlier', EARLIER, 'was loaded by an earlier version of Plumbline, with other tables', 'plumbline load DIR'],
  ['a later', LATER, 'of a later version of Plumbline', 'Use the later version'],
])('a database of %s version is not read', async (_, sql, message, hint) => {
  const { file, remove } = await loadCompany(priced);
  await change(file, sql);
  await expect(openPublished(file, {})).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringMatching(`^${file}.* ${message}`),
    hint: expect.stringContaining(hint),
  });
  remove();
});

it('a server of a database of an earlier version says so until it is loaded again', { tags: ['slow'] }, async () => {
  const { file, remove } = await loadCompany(priced);
  await change(file, EARLIER);
  const served = await serve({ data: 'nothing' });
  const message = `${served.database} was loaded by an earlier version of Plumbline, with other tables`;
  await copyFile(fileWithoutRates(file), fileWithoutRates(served.database));
  await copyFile(file, `${served.database}.moved`);
  await rename(`${served.database}.moved`, served.database);
  const read = (path: string) => served.get(path).then(({ status, text }) => ({ status, text }));
  const refusal = { status: 503, text: expect.stringContaining(message) };
  for (const path of [`/v3/reports/projects?${QUARTER}`, '/v3/projects', '/readyz'])
    await expect.poll(() => read(path)).toEqual(refusal);
  await loadDataset(dirname(file), served.database);
  await expect.poll(async () => (await read('/readyz')).status).toBe(200);
  expect((await read(`/v3/reports/projects?${QUARTER}`)).status).toBe(200);
  await served.close();
  remove();
});
