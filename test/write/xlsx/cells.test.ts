import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_CELL_CHARACTERS, trimDecimal } from '../../../packages/xlsx/index.ts';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import type { Value } from '../../../src/base/database/database.ts';
import { parseUnits, trimZeros } from '../../../src/base/exact-decimal.ts';
import { formatUnits, openSum } from '../../../src/numbers/write/xlsx/columns/exact-sum.ts';
import { readExcel } from './company.ts';
import { column, readBytes, stubWorkbook } from './stub.ts';

async function writeTexts(texts: readonly Value[]) {
  const columns = [column('name', 'text', 'Name'), column('hours', 'hours', 'Hours')];
  const rows = texts.map((text): Value[] => [text, '1.0000']);
  const bytes = await readBytes(stubWorkbook([{ name: 'Data', key: 'data', columns, rows }]));
  const files = unzip(bytes);
  const summary = [...files.values()].find((text) => text.includes('showGridLines="0"')) ?? '';
  return { bytes, sheet: files.get('xl/worksheets/sheet1.xml') ?? '', summary };
}

describe('texts', () => {
  const dangerous = [
    '=1+1',
    '+49 170',
    '-5',
    '@SUM(A1)',
    '\tTab',
    '=HYPERLINK("http://x","y")',
    'two\nlines',
    ' blanks  kept ',
    '🙂 emoji 👩‍👩‍👧',
    'Ampersand & <tag> "quoted"',
    '_x0041_',
    '',
  ];

  it('that begin like formulas, or contain markup, line breaks or emoji, are read back unchanged', async () => {
    const { bytes, sheet } = await writeTexts(dangerous);
    expect(sheet).not.toContain('<f>');
    const data = (await readExcel(bytes)).getWorksheet('Data');
    const found = dangerous.map((_, i) => data?.getCell(i + 2, 1).value ?? '');
    // The reader does not decode Excel's escapes, so the test checks the part itself.
    const escaped = dangerous.indexOf('_x0041_');
    expect(found.filter((_, i) => i !== escaped)).toEqual(dangerous.filter((_, i) => i !== escaped));
    expect(sheet).toContain('<t>_x005F_x0041_</t>');
  });

  it('with characters not allowed in XML are escaped like in Excel', async () => {
    const { sheet } = await writeTexts(['bell\u0007', 'return\r', 'half \ud83d', 'nobody\uffff']);
    for (const text of ['bell_x0007_', 'return_x000D_', 'half _xD83D_', 'nobody_xFFFF_'])
      expect(sheet).toContain(`>${text}<`);
  });

  it('of 40,000 characters end with a truncation mark, and the summary counts them', async () => {
    const { bytes, summary } = await writeTexts([
      'x'.repeat(40_000),
      `${'y'.repeat(32_732)}${'🙂'.repeat(200)}`,
      'z'.repeat(MAX_CELL_CHARACTERS),
    ]);
    const data = (await readExcel(bytes)).getWorksheet('Data');
    const [cut, paired, whole] = [2, 3, 4].map((row) => String(data?.getCell(row, 1).value));
    expect(cut).toHaveLength(MAX_CELL_CHARACTERS);
    expect(cut).toMatch(/^x+… \[cut: 40000 characters in all\]$/);
    expect(paired).toMatch(/[y🙂]… \[cut: 33132 characters in all\]$/u);
    expect(whole).toBe('z'.repeat(MAX_CELL_CHARACTERS));
    expect(summary).toContain('2 texts of Data, Name, cut to the 32,767 characters');
  });
});

describe('numbers', () => {
  it('are written digit by digit, never as floats', async () => {
    const columns = [
      column('id', 'id'),
      column('cost', 'money'),
      column('share', 'percent'),
      column('day', 'date'),
      column('n', 'count'),
    ];
    const rows: Value[][] = [
      [9007199254740993n, '99999999999999999.9901', '-0.05', '1970-01-01', 3],
      [0, '0.0000', '133.33', '2099-12-31', null],
    ];
    const files = unzip(await readBytes(stubWorkbook([{ name: 'Data', key: 'data', columns, rows }])));
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
    const values = [...sheet.matchAll(/<c r="([A-E][23])"[^>]*>(?:<v>|<is><t>)([^<]*)/g)].map(
      ([, place, value]) => `${place} ${value}`,
    );
    expect(values).toEqual([
      'A2 9007199254740993',
      'B2 99999999999999999.9901',
      'C2 -0.0005',
      'D2 25569',
      'E2 3',
      'A3 0',
      'B3 0',
      'C3 1.3333',
      'D3 73050',
    ]);
  });

  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.constantFrom(1n, 10_000n))
    .map(([units, factor]) => units / factor);

  it('sums of decimals are exact, however large', () => {
    fc.assert(
      fc.property(fc.array(decimal, { maxLength: 30 }), (units) => {
        const sum = openSum();
        for (const each of units) sum.add(trimZeros(sixDecimals(each), 4));
        expect(sum.units()).toBe(units.reduce((total, each) => total + each, 0n));
      }),
    );
  });

  it('decimals are unchanged by a round trip through text', () => {
    fc.assert(
      fc.property(decimal, (units) => {
        expect(parseUnits(formatUnits(units))).toBe(units);
        expect(formatUnits(units)).toBe(trimDecimal(sixDecimals(units)));
      }),
    );
  });
});

function sixDecimals(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(7, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
