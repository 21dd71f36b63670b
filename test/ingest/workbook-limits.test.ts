import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listInput } from '../../src/records/ingest/reading/files.ts';
import { people } from '../../src/records/resource/people-resource.ts';
import { kindOf } from '../../src/records/spreadsheet/number-kinds.ts';
import type { ArchivePart } from '../write/xlsx/archive.ts';
import { type Files, rowsOf, withDataset, withDirectory } from './dataset.ts';
import { sheetBook, withBitChanged } from './sheet-book.ts';

const HEADER = ['people_id', 'name'];
const PEOPLE = [HEADER, ['1', 'Ada']];

const load = (bytes: Uint8Array, name = 'a.xlsx') => rowsOf({ [name]: bytes }, 'SELECT people_id FROM source.people');

/** The longest that a test may take that would run for hours with quadratic time. Unit: ms. */
const LIMIT_MS = 60_000;

describe('a workbook is read in time and space in proportion to its size', {
  timeout: LIMIT_MS,
  tags: ['slow'],
}, () => {
  const cells = (count: number, cell: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => cell(i)).join('');
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const header = `<row>${text('people_id')}${text('name')}</row>`;

  it('with a header of all columns of Excel', async () => {
    const sheet = `<row>${text('people_id')}${cells(16_383, (i) => text(`n${i}`))}</row><row>${text('1')}</row>`;
    expect(await load(sheetBook(sheet))).toEqual([{ people_id: 1 }]);
  });

  it('with rows far beyond the header', async () => {
    const row = `<row>${text('1')}${cells(16_383, (i) => `<c><v>${i}</v></c>`)}</row>`;
    expect(await load(sheetBook(header + row.repeat(3)))).toEqual([{ people_id: 1 }]);
  });

  it.each([
    ['[', '['.repeat(1_000_000), 'number'],
    ['[h', '[h'.repeat(500_000), 'number'],
    ['[h]', '[h]'.repeat(500_000), 'time'],
    ['"', '"'.repeat(1_000_001), 'number'],
  ])('with number formats of many %s', (_, code, kind) => {
    expect(kindOf(code)).toBe(kind);
  });

  it('with a format that many styles have', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'[x]'.repeat(300_000)}0"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(50_000)}</cellXfs></styleSheet>`;
    expect(await load(sheetBook(PEOPLE, { styles }))).toEqual([{ people_id: 1 }]);
  });

  it.each<[string, Buffer, string]>([
    [
      'a column after the last',
      sheetBook(`<row>${cells(16_385, (i) => text(`n${i}`))}</row>`),
      'in row 1 has more than 16384 columns',
    ],
    ['a place after the last column', sheetBook('<row><c r="XFE1"><v>1</v></c></row>'), 'has more than 16384 columns'],
    ['a row after the last', sheetBook(`${header}<row r="1048577"/>`), 'has more than 1048576 rows'],
    [
      'a header that is too long',
      sheetBook(`<row>${cells(10, (i) => text(`${i}${'x'.repeat(30_000)}`))}</row>`),
      'a header of more than 262144 characters',
    ],
    ['blanks', sheetBook(`${header}${' '.repeat(100_000_000)}`), 'bytes and unpacks to 1000'],
    [
      'a document type',
      sheetBook(PEOPLE, {
        parts: [{ name: 'xl/sheets/0.xml', content: `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(1_000_000)}]><a/>` }],
      }),
      'has a document type',
    ],
    ['elements within each other', sheetBook('<a>'.repeat(1_000_000)), 'more than 100 elements within each other'],
    ['attributes', sheetBook(`<row ${cells(1_001, (i) => `a${i}="" `)}/>`), 'more than 1000 attributes'],
    [
      'sheets',
      sheetBook(PEOPLE, { sheets: Array.from({ length: 1_001 }, (_, index) => `People.${index}`) }),
      'has more than 1000 sheets',
    ],
    [
      'a name of a sheet',
      sheetBook(PEOPLE, { sheets: ['x'.repeat(256)] }),
      'has a sheet whose name has more than 255 characters',
    ],
  ])('refuses too much of %s', async (_, bytes, message) => {
    await expect(load(bytes)).rejects.toThrow(message);
  });

  it('sets a row aside that is longer than a record may be', async () => {
    const shared = `<sst><si><t>${'x'.repeat(32_767)}</t></si></sst>`;
    const row = `<row>${text('1')}${'<c t="s"><v>0</v></c>'.repeat(1_000)}</row>`;
    await withDataset(
      { 'a.xlsx': sheetBook(`${header}${row}<row>${text('2')}</row>`, { shared }) },
      async ({ rows }) => {
        expect(await rows('SELECT unnest(reasons) AS reason FROM source.rejected')).toEqual([
          { reason: 'has more than 16 MiB' },
        ]);
        expect(await rows('SELECT people_id FROM source.people')).toEqual([{ people_id: 2 }]);
      },
    );
  });
});

describe('a damaged workbook is refused in a sentence', () => {
  const sheet: ArchivePart = {
    name: 'xl/sheets/0.xml',
    content: '<worksheet><sheetData><row><c t="str"><v>people_id</v></c></row></sheetData></worksheet>',
  };
  const withSheet = (...parts: readonly ArchivePart[]) => sheetBook(PEOPLE, { parts });
  it.each<[string, Buffer, string]>([
    [
      'another checksum',
      withSheet({ ...sheet, crc: 1 }),
      "its part xl/sheets/0.xml hasn't the content of its checksum",
    ],
    ['more bytes', withSheet({ ...sheet, size: 10 }), "hasn't the size that is written beside it"],
    ['fewer bytes', withSheet({ ...sheet, size: 1_000 }), "hasn't the size that is written beside it"],
    [
      'a part twice',
      withSheet(sheet, { ...sheet, name: 'xl/Sheets/0.XML' }),
      'its part xl/Sheets/0.XML is there twice',
    ],
    ['an encrypted part', withSheet({ ...sheet, flags: 1 }), 'is encrypted'],
    ['another method', withSheet({ ...sheet, method: 12 }), "is packed by a method that isn't supported (12)"],
    ['no UTF-8', withSheet({ ...sheet, content: Buffer.from('<a>\xe9</a>', 'latin1') }), "can't be unpacked"],
    [
      'no such part',
      withSheet({
        name: 'xl/_rels/workbook.xml.rels',
        content: '<Relationships><Relationship Id="r0" Target="a.xml"/></Relationships>',
      }),
      'its part xl/a.xml with the sheet People is missing',
    ],
    [
      'an old .xls file',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_000)]),
      'it is an old .xls file, or has a password',
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(load(bytes)).rejects.toThrow(message);
  });

  it('wherever a bit has changed', async () => {
    // Each byte, and each place in a byte; test/long/records/workbook-limits.test.ts changes every bit.
    const bits = Array.from({ length: 8 }, (_, index) => index * 9);
    for (const bit of bits)
      await expect(load(withBitChanged(sheetBook(PEOPLE), bit)), `bit ${bit}`).rejects.toThrow(
        'its part xl/sheets/0.xml',
      );
  });
});

it('two sheets of one name are both read, in their order', async () => {
  const names: Files = { 'a.xlsx': sheetBook(PEOPLE, { sheets: ['People', 'people', 'People', 'Notes', 'Notes'] }) };
  await withDataset(names, async ({ summary, rows }) => {
    expect(summary.resources.find(({ resource }) => resource === 'people')).toMatchObject({
      read: 3,
      loaded: 1,
      duplicates: 2,
    });
    expect(await rows("SELECT name FROM source.load_notes WHERE kind = 'ignored file'")).toEqual([
      { name: 'a.xlsx, sheet Notes' },
      { name: 'a.xlsx, sheet Notes' },
    ]);
  });
});

it('parts are found by their relationships, with any prefix and in any case', async () => {
  const bytes = sheetBook(
    [
      ['people_id', 'name'],
      ['1', { xml: '<c t="s"><v>0</v></c>' }],
    ],
    {
      parts: [
        {
          name: '_rels/.rels',
          content:
            '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/book/Main.xml"/></Relationships>',
        },
        {
          name: 'book/main.xml',
          content: '<x:workbook><x:sheets><x:sheet name="People" rel:id="b"/></x:sheets></x:workbook>',
        },
        {
          name: 'book/_rels/main.xml.rels',
          content:
            '<Relationships><Relationship Id="b" Type="x/worksheet" Target="../xl/./sheets/0.xml"/><Relationship Id="c" Type="x/sharedStrings" Target="texts.xml"/></Relationships>',
        },
        { name: 'book/texts.xml', content: '<sst><si><t>Ada</t></si></sst>' },
      ],
    },
  );
  expect(await rowsOf({ 'a.xlsx': bytes }, 'SELECT name FROM source.people')).toEqual([{ name: 'Ada' }]);
});

it.each(['old.xls', 'a.ods', 'A.XLSB', 'a.numbers'])('%s is refused with the way out', async (name) => {
  await withDirectory({ [name]: 'x' }, async (directory) => {
    await expect(listInput(join(directory, name), [people])).rejects.toMatchObject({
      code: 'input',
      message: `${join(directory, name)} is a spreadsheet in a form that can't be read`,
      hint: expect.stringContaining('save it as .xlsx'),
    });
  });
});
