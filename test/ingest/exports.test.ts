import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { reportOf, run } from './own-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('an export of clockify leads to a report', { tags: ['slow'] }, async () => {
  cpSync('test/ingest/exports/clockify', join(folder, 'clockify'), { recursive: true });
  expect(await reportOf(join(folder, 'clockify'))).toEqual(['Ada King,1.50,90.00,', 'Bo Li,0.25,0.00,']);
});

describe('a first mapping', () => {
  const suggest = async (name: string, files: Readonly<Record<string, string>>) => {
    const directory = join(folder, name);
    mkdirSync(directory);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
    const { code, output } = await run('load', directory, '--suggest-mapping');
    expect(code, output).toBe(0);
    const text = readFileSync(join(directory, 'mapping.yaml'), 'utf8');
    expect(parseDocument(text).errors).toEqual([]);
    return text;
  };

  it('leaves a comma open that has three digits behind it', async () => {
    const open = await suggest('open', { 'p.csv': 'Project,Budget\nA,"12,000"\n' });
    expect(open).toContain('open: "');
    expect(open).toContain('12,000 is 12 and decimals with decimal: comma, or 12000 with decimal: point');
    expect(open).not.toMatch(/^ *decimal/m);
    const decided = await suggest('decided', { 'p.csv': 'Project;Budget\nA;12,000\nB;9,5\n' });
    expect(decided).toMatch(/^ {4}decimal: comma$/m);
  });

  it('stays a YAML file whatever the headers are', async () => {
    const book = new exceljs.Workbook();
    book.addWorksheet('Odd').addRow(['one\ntwo: [', 'three']);
    const path = join(folder, 'odd.xlsx');
    await book.xlsx.writeFile(path);
    const mapping = join(folder, 'odd.yaml');
    const { output } = await run('load', path, '--suggest-mapping', '--mapping', mapping);
    expect(output).toContain(`load with --mapping ${mapping} and --dry-run first`);
    const text = readFileSync(mapping, 'utf8');
    expect(parseDocument(text).errors).toEqual([]);
    expect(text).toContain('Its columns are one\\ntwo: [, three.');
  });

  it('names files that a load would leave out, though their headers name the fields', async () => {
    const text = await suggest('ignored', {
      'people.tsv': 'people_id\tname\n1\tAda\n',
      'people.csv': 'people_id,name\n2,Bo\n',
    });
    expect(text).toContain('  - file: "people.tsv"\n    resource: people\n');
    expect(text).toContain('# people.csv needs no mapping');
    const loaded = await run(
      'load',
      join(folder, 'ignored'),
      '--dry-run',
      '--database',
      join(folder, 'ignored.duckdb'),
    );
    expect(loaded.output).not.toContain('people.tsv');
  });

  it('takes the delimiter of the headers for all rows', async () => {
    const text = await suggest('delimiter', { 't.csv': 'Project;Budget\nA, B, C, D;1,5\n' });
    expect(text).toMatch(/^ {4}decimal: comma$/m);
  });

  it.each([
    [['missing', '--suggest-mapping'], 'There is no directory missing'],
    [['test', '--suggest-mapping', '--decimal-comma'], 'load takes no --decimal-comma with --suggest-mapping'],
  ])('load %j is an error', async (args, message) => {
    const { code, output } = await run('load', ...args);
    expect(code).not.toBe(0);
    expect(output).toContain(message);
  });
});
