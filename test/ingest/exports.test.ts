import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import exceljs from 'exceljs';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { runProgram } from '../../src/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const stream = () => Object.assign(new PassThrough(), { isTTY: false });
  const [stdout, stderr] = [stream(), stream()];
  const texts: string[] = [];
  for (const each of [stdout, stderr]) each.on('data', (chunk) => texts.push(String(chunk)));
  const streams = { stdout: stdout as unknown as NodeJS.WriteStream, stderr: stderr as unknown as NodeJS.WriteStream };
  const code = await runProgram(args, { ...streams, now: () => new Date('2026-06-15T12:00:00Z') });
  return { code, output: texts.join('') };
}

/** Loads an export, with nothing set aside, and returns what its people did in February, by name. */
async function reportOf(directory: string): Promise<string[]> {
  const database = `${directory}.duckdb`;
  const loaded = await run('load', directory, '--strict', '--database', database);
  expect(loaded.code, loaded.output).toBe(0);
  const window = ['--start-date', '2026-02-01', '--end-date', '2026-02-28', '--cutoff-date', '2026-02-28'];
  const fields = ['--fields', 'name,actual_hours,actual_fees,actual_cost', '--format', 'csv', '--sort', 'name'];
  const { output } = await run('report', 'people', ...window, ...fields, '--database', database);
  return output.split(/\r?\n/).filter((line) => /^("?)(Ada|ada|Bo|bo)/.test(line));
}

it.each([
  ['harvest', ['Ada King,3.00,300.00,136.50', 'Bo Li,0.25,0.00,']],
  ['toggl', ['Ada King,3.50,315.00,', 'Bo Li,0.3333,0.00,']],
  ['clockify', ['Ada King,1.50,90.00,', 'Bo Li,0.25,0.00,']],
  ['kimai', ['ada@example.com,2.0167,231.92,', 'bo@example.com,0.50,0.00,']],
  ['french', ['Ada King,7.50,750.00,7841.25', 'Bo Li,1.25,0.00,']],
  ['service', ['Ada King,7.50,750.00,', 'Bo Li,2.00,0.00,']],
])('an export of %s leads to a report', async (tool, expected) => {
  cpSync(join('test/ingest/exports', tool), join(folder, tool), { recursive: true });
  expect(await reportOf(join(folder, tool))).toEqual(expected);
});

it('a German workbook made by hand leads to a report', async () => {
  const book = new exceljs.Workbook();
  const times = book.addWorksheet('Zeiten');
  times.addRow(['Stundenliste, Stand 1. März 2026']);
  times.addRow([]);
  times.addRow(['Datum', 'Mitarbeiter', 'Projekt', 'Stunden', 'Abrechenbar']);
  times.addRow([new Date('2026-02-13T09:00:00Z'), 'Ada King', 'Website', 7.5, 'ja']);
  times.addRow(['14.02.2026', 'Bo Li', 'Website', '1,25', 'Nein']);
  times.getColumn(1).numFmt = 'dd.mm.yyyy hh:mm';
  const people = book.addWorksheet('Mitarbeiter');
  people.addRow(['Name', 'Stundensatz', 'Kostensatz', 'Art']);
  people.addRow(['Ada  King', '1.095,50', 45.5, 'festangestellt']);
  people.addRow(['Bo Li', 80, '40,00', 'Freelancer']);
  const directory = join(folder, 'german');
  mkdirSync(directory);
  await book.xlsx.writeFile(join(directory, 'stunden.xlsx'));
  writeFileSync(
    join(directory, 'mapping.yaml'),
    `dates: DD.MM.YYYY HH:MM
decimal: comma
words: {ja: true, nein: false}
files:
  - file: stunden.xlsx
    sheet: Mitarbeiter
    resource: people
    fields:
      people_id: {name: Name}
      name: Name
      default_hourly_rate: Stundensatz
      cost_rate: Kostensatz
      people_type_id: {column: Art, words: {festangestellt: employee, Freelancer: 2}}
  - {file: stunden.xlsx, sheet: Zeiten, resource: projects, fields: {project_id: {name: Projekt}, name: Projekt}}
  - file: stunden.xlsx
    sheet: Zeiten
    resource: logged_time
    fields:
      logged_time_id: {row: true}
      people_id: {name: Mitarbeiter}
      project_id: {name: Projekt}
      date: Datum
      hours: Stunden
      billable: Abrechenbar
`,
  );
  expect(await reportOf(directory)).toEqual(['Ada  King,7.50,8216.25,341.25', 'Bo Li,1.25,0.00,50.00']);
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
    expect(open).toContain("# The files don't tell whether 12,000 has thousands or decimals behind its comma");
    expect(open).not.toMatch(/^decimal/m);
    const decided = await suggest('decided', { 'p.csv': 'Project;Budget\nA;12,000\nB;9,5\n' });
    expect(decided).toMatch(/^decimal: comma$/m);
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
    expect(text).toMatch(/^decimal: comma$/m);
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
