import { expect, it } from 'vitest';
import { dateSerial, percentToFraction, trimDecimal } from '../decimal.ts';
import { columnRef, criteriaFormula, totalRef, visibleSumFormula } from '../formula.ts';
import { uniqueHeaders } from '../native-table.ts';
import { alignWithAmounts, amountFormat } from '../number-formats.ts';
import { pagesAcross, quoteSheet } from '../sheet.ts';
import { columnLetters, escapeXml, fitText, MAX_CELL_CHARACTERS } from '../sheet-xml.ts';
import { boldWidth, widthOfWholeWords, wrappedHeight, wrappedLines } from '../text-widths.ts';
import { uniqueName } from '../workbook-package.ts';

it('texts are escaped like in Excel', () => {
  const texts = ['A & B <c> "d"', 'bell\u0007', 'half \ud83d', '_x0041_', 'tab\t', '🙂'];
  expect(texts.map(escapeXml)).toEqual([
    'A &amp; B &lt;c&gt; &quot;d&quot;',
    'bell_x0007_',
    'half _xD83D_',
    '_x005F_x0041_',
    'tab&#9;',
    '🙂',
  ]);
});

it('a text too long for a cell ends with its length, and with a whole character', () => {
  const text = fitText(`y${'🙂'.repeat(20_000)}`);
  expect(text.length).toBeLessThanOrEqual(MAX_CELL_CHARACTERS);
  expect(text).toMatch(/^y(?:🙂)+… \[cut: 40001 characters in all\]$/u);
});

it('decimals are changed as texts', () => {
  expect(['100', '5.00', '-0.05', '12.3', '0.00'].map(percentToFraction)).toEqual([
    '1',
    '0.05',
    '-0.0005',
    '0.123',
    '0',
  ]);
  expect(['10', '1.50', '2.000', '0.0'].map(trimDecimal)).toEqual(['10', '1.5', '2', '0']);
  expect(['1970-01-01', '2026-01-01', '2099-12-31'].map(dateSerial)).toEqual([25_569, 46_023, 73_050]);
});

it('amounts have the decimals of their currency, and numbers beside them room for the bracket', () => {
  expect([0, 2, 3].map(amountFormat)).toEqual([
    '#,##0_);(#,##0);"-"_)',
    '#,##0.00_);(#,##0.00);"-"_)',
    '#,##0.000_);(#,##0.000);"-"_)',
  ]);
  expect(['0.0%', amountFormat(2)].map(alignWithAmounts)).toEqual(['0.0%_)', amountFormat(2)]);
});

it('columns are named by letters', () => {
  expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
});

it('formulas refer to columns by quoted headers', () => {
  expect(columnRef('tblData', "Sched'd [h] #")).toBe("tblData[Sched''d '[h'] '#]");
  expect(totalRef('tblData', 'Hours')).toBe('tblData[[#Totals],[Hours]]');
  expect(visibleSumFormula(['tblData', 'tblData2'], 'Hours')).toBe(
    'SUBTOTAL(109,tblData[Hours])+SUBTOTAL(109,tblData2[Hours])',
  );
});

it('a sum by criteria compares texts, dates and booleans', () => {
  const criteria = [
    { column: 'kind', operator: '=', value: 'actual' },
    { column: 'day', operator: '<=', value: '2026-02-05' },
    { column: 'billable', operator: '=', value: true },
  ];
  expect(criteriaFormula(['tbl'], 'hours', criteria, (name) => name.toUpperCase())).toBe(
    'SUMIFS(tbl[HOURS],tbl[KIND],"actual",tbl[DAY],"<="&DATE(2026,2,5),tbl[BILLABLE],TRUE)',
  );
});

it('names of sheets and headers are unique, and such that Excel takes them', () => {
  expect(uniqueName("'Q1/Q2: [all]'", [])).toBe('Q1 Q2   all ');
  expect(uniqueName('data', [{ name: 'Data' }, { name: 'Data 2' }])).toBe('data 3');
  expect(uniqueName('x'.repeat(40), [{ name: 'x'.repeat(31) }])).toBe(`${'x'.repeat(29)} 2`);
  expect(uniqueHeaders(['Hours', 'hours', 'HOURS'])).toEqual(['Hours', 'hours 2', 'HOURS 3']);
  expect(quoteSheet("Ana's")).toBe("'Ana''s'");
});

it('texts take the lines that their widths make', () => {
  expect(wrappedLines('one two three', 7)).toBe(2);
  expect(wrappedLines('abcdefghij', 4)).toBe(3);
  expect(wrappedHeight(['one two three', 'one'], [7, 7])).toBe(30);
  expect(boldWidth('W')).toBeGreaterThan(boldWidth('i'));
});

it('a header is not broken after a hyphen', () => {
  const width = widthOfWholeWords('Year-to-date', 9);
  expect(width - 1).toBeGreaterThanOrEqual(boldWidth('Year-to-date'));
});

it('wide sheets print side by side, with the columns that repeat', () => {
  expect(pagesAcross([100, 100], 1)).toBe(1);
  expect(pagesAcross([100, 100, 100], 1)).toBe(2);
});
