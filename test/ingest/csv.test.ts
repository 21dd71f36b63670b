import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvRecord, isBlank, takeRecord } from '../../src/records/ingest/reading/csv-records.ts';
import { reasonsOf, rowsOf, withDataset } from './dataset.ts';

function readRecords(text: string, width: number): CsvRecord[] {
  const lines = text.split('\n');
  const records: CsvRecord[] = [];
  for (let line = 0; line < lines.length; ) {
    if (isBlank(lines[line] ?? '')) line += 1;
    else {
      const taken = takeRecord(lines, line, width, ',');
      records.push(taken.record);
      line += taken.lines;
    }
  }
  return records;
}

describe('records of a CSV file', () => {
  test.each<[string, string, (string | null)[]]>([
    ['plain cells', 'a,b,c', ['a', 'b', 'c']],
    ['empty cells are null', ',,', [null, null, null]],
    ['quoted empty cells are empty', '"",b,""', ['', 'b', '']],
    ['delimiters and quotes inside', '"a,1","say ""hi""",c', ['a,1', 'say "hi"', 'c']],
    ['line breaks inside', '"a\nb","c\r\n\r\nd",e', ['a\nb', 'c\r\n\r\nd', 'e']],
    ['a quote in a cell that is not quoted', '5" pipe,b,c', ['5" pipe', 'b', 'c']],
    ['blanks are kept', ' a ,b, "c"', [' a ', 'b', ' "c"']],
    ['a carriage return at the end', 'a,b,c\r', ['a', 'b', 'c']],
    ['a quoted cell before a carriage return', 'a,b,"c"\r', ['a', 'b', 'c']],
  ])('%s', (_name, text, cells) => {
    expect(readRecords(text, 3)).toEqual([{ cells }]);
  });

  test.each([
    ['a stray quote', 'a,"b,c', 'a quote is not closed'],
    ['text after a closing quote', 'a,"b"x,c', 'text after a closing quote'],
    ['too many cells', 'a,b,c,d', 'has 4 columns, the header has 3'],
    ['too few cells', 'a,b\r', 'has 2 columns, the header has 3'],
  ])('%s sets the line aside, alone', (_name, line, reason) => {
    expect(readRecords(`1,2,3\n${line}\n4,5,6\n7,"8\n8",9`, 3)).toEqual([
      { cells: ['1', '2', '3'] },
      { line: line.trimEnd(), reason },
      { cells: ['4', '5', '6'] },
      { cells: ['7', '8\n8', '9'] },
    ]);
  });

  test('one stray quote anywhere: every other line is loaded', { tags: ['slow'] }, () => {
    const text = fc.stringMatching(/^[ab;]([ab,"\n; ]{0,6}[ab;])?$/);
    const cell = fc.oneof(text, fc.constantFrom('', '1', '2026-01-05'));
    const row = fc.tuple(fc.nat({ max: 999 }).map(String), cell, cell);
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (rows, which, where) => {
        const lines = rows.map((cells) => cells.map(formatCell).join(','));
        const broken = which % lines.length;
        const line = lines[broken] ?? '';
        // The other lines of a broken multi-line record can't be identified.
        fc.pre(!line.includes('\n'));
        const at = where % (line.length + 1);
        lines[broken] = `${line.slice(0, at)}"${line.slice(at)}`;
        const read = readRecords(lines.join('\n'), 3).map((record) => ('cells' in record ? record.cells : []));
        const good = rows.filter((_, index) => index !== broken).map((cells) => cells.map((text) => text || null));
        for (const cells of good) expect(read).toContainEqual(cells);
      }),
      { numRuns: 3000 },
    );
  });
});

function formatCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

describe('CSV files', () => {
  test('an invalid line goes whole to the rejected table', async () => {
    const csv = 'client_id,name\n1,"Smith, Jones"\n2,"Stray\n3,Good\n4,too,many\n';
    await withDataset({ 'clients.csv': csv }, async ({ rows }) => {
      expect(await rows('SELECT client_id, name FROM source.clients')).toEqual([
        { client_id: 1, name: 'Smith, Jones' },
        { client_id: 3, name: 'Good' },
      ]);
      expect(await rows('SELECT position, record_id, reasons, record FROM source.rejected')).toEqual([
        { position: 2, record_id: null, reasons: ['a quote is not closed'], record: '2,"Stray' },
        { position: 4, record_id: null, reasons: ['has 3 columns, the header has 2'], record: '4,too,many' },
      ]);
    });
  });

  test('lists as JSON or with commas', async () => {
    const csv = 'people_id,tags,contracts\n1,"A, b",\n2,"[""C""]","[{""cost_rate"":5}]"\n3,single,\n';
    const sql = 'SELECT people_id, tag FROM source.people_tags';
    expect(await rowsOf({ 'people.csv': csv }, sql)).toEqual([
      { people_id: 1, tag: 'a' },
      { people_id: 1, tag: 'b' },
      { people_id: 2, tag: 'c' },
      { people_id: 3, tag: 'single' },
    ]);
    expect(await rowsOf({ 'people.csv': csv }, 'SELECT people_id, cost_rate FROM source.contracts')).toEqual([
      { people_id: 2, cost_rate: '5.0000' },
    ]);
  });

  test('a broken list as text', async () => {
    expect(await reasonsOf('people', { people_id: 1, contracts: '[{"cost_rate":5' })).toEqual([
      'contracts: not a list',
    ]);
  });

  test('a stray quote in a text longer than one read buffer', { tags: ['slow'] }, async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, index) => `${index + 1},"Client, number ${index + 1} ${'x'.repeat(60)}"`,
    );
    lines[500] = '501,"stray';
    await withDataset({ 'clients.csv': `client_id,name\n${lines.join('\n')}` }, async ({ summary }) => {
      expect(summary.resources.find(({ resource }) => resource === 'clients')).toMatchObject({
        read: 60_000,
        loaded: 59_999,
        setAside: 1,
      });
    });
  });

  test.each([
    [
      'a repeated name',
      'client_id,name, name\n1,a,b\n',
      'clients.csv names the column name twice, in column 2 and column 3',
    ],
    ['no header', '\n\n', 'clients.csv has no header row'],
    ['nothing', '', 'clients.csv has no header row'],
    [
      'text that is not UTF-8',
      Buffer.from('client_id,name\n1,\xc3\xa4\n2,M\xfcller\n', 'latin1'),
      "clients.csv isn't UTF-8 text: see line 3",
    ],
  ])('%s fails the load', async (_name, content, message) => {
    const error = await withDataset({ 'clients.csv': content }, async () => undefined).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'input', message });
  });

  test('no temporary file is left behind', async () => {
    const { readdir } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    await rowsOf({ 'clients.csv': 'client_id\n1\n' }, 'FROM source.clients');
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(`plumbline-${process.pid}`))).toEqual([]);
  });
});

test('a header may be in capitals, as spreadsheets export it', async () => {
  const rows = await rowsOf(
    { 'people.csv': 'PEOPLE_ID,Name,Job_Title\n1,Ada,Maker\n' },
    'SELECT people_id, name, job_title FROM source.people',
  );
  expect(rows).toEqual([{ people_id: 1, name: 'Ada', job_title: 'Maker' }]);
});
