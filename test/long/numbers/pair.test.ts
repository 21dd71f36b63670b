import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/database.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { fileWithoutRates } from '../../../src/store/generation/generation-files.ts';
import { openPublished } from '../../../src/store/generation/open-generation.ts';
import { priced } from '../../published/dataset.ts';
import { loadCompany } from '../../sql/company.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-pair-'));
const file = join(folder, 'company.duckdb');
const copy = join(folder, 'company.no-rates.duckdb');
let generations: { file: string; remove(): void }[];
let dataset: string;

beforeAll(async () => {
  generations = [await loadCompany(priced), await loadCompany(priced, { now: new Date('2026-06-15T12:00:00Z') })];
  dataset = dirname(generations[0]?.file ?? '');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const { remove } of generations) remove();
});

beforeEach(() => {
  place(0, file);
  place(0, copy);
});

function place(generation: number, target: string): void {
  const source = generations[generation]?.file ?? '';
  copyFileSync(target === copy ? fileWithoutRates(source) : source, target);
}

async function readVersion(path: string): Promise<string | undefined> {
  const database = await openDatabase(path, { readOnly: true });
  const [row] = await database.rows<{ version: string }>('SELECT data_version AS version FROM source.generation');
  await database.close();
  return row?.version;
}

it.each([
  ['company.duckdb', 'company.no-rates.duckdb'],
  ['/data.v2/company.db', '/data.v2/company.no-rates.db'],
  ['/data.v2/company', '/data.v2/company.no-rates'],
  ['.hidden', '.hidden.no-rates'],
])('the copy of %s is %s', (name, expected) => {
  expect(fileWithoutRates(name)).toBe(expected);
});

it('a load publishes two files of one data version, and leaves no temporary file', async () => {
  const own = mkdtempSync(join(tmpdir(), 'plumbline-pair-'));
  const loaded = join(own, 'company.duckdb');
  const { dataVersion } = await loadDataset(dataset, loaded);
  expect(readdirSync(own).sort()).toEqual(['company.duckdb', 'company.duckdb.lock', 'company.no-rates.duckdb']);
  const published = await openPublished(loaded, {});
  expect(published.dataVersion).toBe(dataVersion);
  const version = 'SELECT data_version FROM source.generation';
  expect(await published.withoutRates.rows(version)).toEqual(await published.generation.rows(version));
  await published.close();
  rmSync(own, { recursive: true });
});

it('a failed load leaves both files as they were, and no partial file', async () => {
  const before = [await readVersion(file), await readVersion(copy)];
  await expect(loadDataset(join(folder, 'nothing'), file)).rejects.toMatchObject({ code: 'input' });
  expect([await readVersion(file), await readVersion(copy)]).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.includes('.next-'))).toEqual([]);
});

it('between the two renames a reader waits, and then gets both files of the new load', async () => {
  place(1, copy);
  const opened = openPublished(file, {});
  await sleep(200);
  const moved = `${file}.moved`;
  place(1, moved);
  renameSync(moved, file);
  const published = await opened;
  expect(published.dataVersion).toBe(await readVersion(copy));
  await published.close();
});

it('after a kill between the two renames each file is whole, readers get an error, and the next load repairs the pair', async () => {
  place(1, copy);
  const [older, newer] = [await readVersion(file), await readVersion(copy)];
  await expect(openPublished(file, {})).rejects.toMatchObject({
    code: 'storage',
    message: `${copy} has the data version ${newer}, and ${file} has ${older}`,
    hint: expect.stringContaining('plumbline serve makes it anew'),
  });
  const { dataVersion } = await loadDataset(dataset, file);
  expect([await readVersion(file), await readVersion(copy)]).toEqual([dataVersion, dataVersion]);
});

it('a database without its copy is reported', async () => {
  rmSync(copy);
  await expect(openPublished(file, {})).rejects.toThrow(`There is no copy without rates ${copy}`);
});

it('a load never writes rates to a file named like a copy, and never overwrites another file', async () => {
  await expect(loadDataset(dataset, copy)).rejects.toMatchObject({ code: 'usage' });
  writeFileSync(copy, 'my notes, which are not a database');
  await expect(loadDataset(dataset, file)).rejects.toThrow(`${copy} is not a database`);
  rmSync(file);
  await expect(loadDataset(dataset, file)).rejects.toThrow(`${copy} is not a database`);
  expect(existsSync(file)).toBe(false);
});
