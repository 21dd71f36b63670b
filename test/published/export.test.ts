import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { runProgram } from '../../src/cli.ts';
import { loadCompany } from '../sql/company.ts';
import { priced } from './dataset.ts';

interface Manifest {
  readonly data_version: string;
  readonly has_rates: boolean;
  readonly files: readonly { file: string; model: string; rows: number; bytes: number; sha256: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'plumbline-export-'));
let file: string;
let remove: () => void;
let database: Database;

beforeAll(async () => {
  ({ file, remove } = await loadCompany(priced));
  database = await openDatabase(file, { readOnly: true });
});

afterAll(async () => {
  await database.close();
  remove();
  rmSync(folder, { recursive: true });
});

async function runExport(...args: string[]): Promise<{ code: number; stderr: string }> {
  const stderr = new PassThrough();
  const stdout = new PassThrough();
  const code = await runProgram(['export', ...args, '--database', file], {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    now: () => new Date('2026-06-15T12:00:00Z'),
  });
  return { code, stderr: String(stderr.read() ?? '') };
}

const readManifest = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));

const READERS: Readonly<Record<string, string>> = {
  parquet: 'read_parquet',
  csv: 'read_csv',
  ndjson: 'read_ndjson_auto',
};

it.each(Object.keys(READERS))(
  'writes every mart as %s with its rows, and a correct manifest',
  { tags: ['slow'] },
  async (format) => {
    const directory = join(folder, format);
    const { code, stderr } = await runExport(directory, '--format', format);
    expect(code, stderr).toBe(0);
    const manifest = readManifest(directory);
    const [generation] = await database.rows('SELECT data_version FROM source.generation');
    expect(manifest).toMatchObject({ data_version: generation?.['data_version'], has_rates: true });
    expect(readdirSync(directory).sort()).toEqual(
      [...manifest.files.map((entry) => entry.file), 'manifest.json'].sort(),
    );
    for (const entry of manifest.files) {
      const path = join(directory, entry.file);
      const bytes = readFileSync(path);
      expect([entry.bytes, entry.sha256]).toEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')]);
      const [row] = await database.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${entry.model}`);
      expect(entry.rows, entry.file).toBe(row?.count);
    }
    const sums = (from: string) =>
      database.rows(`SELECT COUNT(*) AS count, SUM(CAST(hours AS DECIMAL(18, 4))) AS hours, SUM(CAST(cost AS DECIMAL(18, 4))) AS cost,
      MIN(CAST(date AS DATE)) AS date, COUNT(phase) AS phases FROM ${from}`);
    const exported = `${READERS[format]}(${quoteText(join(directory, `lines.${format}`))})`;
    expect(await sums(exported)).toEqual(await sums('marts.lines'));
  },
);

it('leaves out every column that reveals a cost when asked to', async () => {
  const directory = join(folder, 'no-rates');
  expect((await runExport(directory, '--no-rates')).stderr).toMatch(/, without rates\.\n$/);
  expect(readManifest(directory).has_rates).toBe(false);
  const columns = await database.rows<{ column_name: string }>(
    `DESCRIBE FROM read_parquet(${quoteText(join(directory, 'lines.parquet'))})`,
  );
  const names = columns.map(({ column_name }) => column_name);
  expect(names).toContain('fee');
  expect(names).not.toContain('cost');
});

it('accepts an empty directory, and refuses a non-empty one, a file and a missing folder', {
  tags: ['slow'],
}, async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  expect((await runExport(empty)).code).toBe(0);
  expect(await runExport(empty)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty: it holds') });
  const text = join(folder, 'text');
  writeFileSync(text, 'mine');
  expect((await runExport(text)).stderr).toContain('is not a directory that can be read');
  expect(readFileSync(text, 'utf8')).toBe('mine');
  expect((await runExport(join(folder, 'no', 'where'))).stderr).toContain('There is no folder');
  expect(await runExport(join(folder, 'x'), '--format', 'xlsx')).toMatchObject({ code: 2 });
  expect(existsSync(join(folder, 'x'))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([]);
});

it('refuses the name of a mart where the directory of all goes, with the way to both', { tags: ['slow'] }, async () => {
  const { code, stderr } = await runExport('people');
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^Error: export writes all \d+ marts into a directory, and people is one of them\nFor this one: plumbline sql 'SELECT \* FROM marts\.people' --output people\.csv\. For a directory of that name: plumbline export \.\/people\n$/,
  );
  expect(existsSync('people')).toBe(false);
});
