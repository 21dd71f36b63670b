import { expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  decimalsOf,
  formatDecimal,
  formatPeriod,
  formatRead,
  judge,
  roundWhole,
  stepOf,
  tickFormat,
  trimZeros,
} from '../../page/data/numbers.ts';

it.each([
  [[], null],
  [['0.1', '0.2'], '0.3'],
  [['12.50', '-12.5'], '0.00'],
  [['-0.04', '0.01'], '-0.03'],
  [['3', '4'], '7'],
  [['99999999999999999999.99', '0.01'], '100000000000000000000.00'],
])('adds %j without a digit lost: %s', (texts, sum) => {
  expect(addDecimals(texts)).toBe(sum);
});

it.each([
  [
    [0, 500_000, 1_000_000],
    ['0', '500K', '1M'],
  ],
  [
    [1_655_000, 1_655_500, 1_656_000],
    ['1,655,000', '1,655,500', '1,656,000'],
  ],
  [
    [-1000, -500, 0],
    ['−1K', '−500', '0'],
  ],
])('labels the ticks %j of an axis, each in another way: %j', (ticks, labels) => {
  const label = tickFormat(Math.min(...ticks), Math.max(...ticks), ticks.length - 1);
  expect(ticks.map(label)).toEqual(labels);
});

it.each([
  ['0.00', '0.00'],
  ['12.5', '12.5'],
  ['-999', '−999'],
  ['1000', '1,000'],
  ['-1234567.8900', '−1,234,567.8900'],
  ['123456789012345678901234.5678', '123,456,789,012,345,678,901,234.5678'],
])('groups the digits of %s and keeps each of them', (text, shown) => {
  expect(formatDecimal(text)).toBe(shown);
  expect(formatDecimal(text).replaceAll(',', '').replace('−', '-')).toBe(text);
});

it.each([
  ['8.000000', '8.00'],
  ['1.500000', '1.50'],
  ['0.123400', '0.1234'],
  ['1200', '1200'],
  ['7.5', '7.5'],
  ['-100.00', '-100.00'],
])('leaves two decimals of %s at least, without further zeros: %s', (text, shown) => {
  expect(trimZeros(text)).toBe(shown);
});

it('marks a gain with a plus, and a zero with nothing', () => {
  expect(['1.00', '0.00', '-1.00'].map((text) => formatDecimal(text, true))).toEqual(['+1.00', '0.00', '−1.00']);
});

it('leaves texts that are no decimals alone', () => {
  expect(['2026-01-02', 'LT0001', '1e5', ''].map((text) => formatDecimal(text))).toEqual([
    '2026-01-02',
    'LT0001',
    '1e5',
    '',
  ]);
});

it.each([
  ['5.00', 'less', 'U'],
  ['-5.00', 'less', 'F'],
  ['5.00', 'more', 'F'],
  ['-5.00', 'more', 'U'],
  ['0.00', 'less', undefined],
  ['5.00', 'none', undefined],
  ['5.00', undefined, undefined],
] as const)('%s, of which %s is better, is %s', (text, better, judgment) => {
  expect(judge(text, better)).toBe(judgment);
});

it('has a step of color for each size, whatever the sign', () => {
  expect(['0.00', '2.49', '-2.50', '7.00', '-932.03'].map(stepOf)).toEqual([0, 0, 1, 2, 5]);
  expect(['1', '1.5', '1.2345'].map(decimalsOf)).toEqual([0, 1, 4]);
});

it.each([
  ['0.49', '0'],
  ['-0.49', '0'],
  ['-0.50', '-1'],
  ['12.5', '13'],
  ['-12.25', '-12'],
  ['99999999999999999999.99', '100000000000000000000'],
  ['7', '7'],
])('rounds %s to %s, half away from zero', (text, whole) => {
  expect(roundWhole(text)).toBe(whole);
});

it.each([
  ['1534.3333', 'hours', '1,534.33'],
  ['-7.665', 'hours', '−7.67'],
  ['0.004', 'hours', '<0.01'],
  ['-0.000001', 'hours', '>−0.01'],
  ['0.000000', 'hours', '0.00'],
  ['8', 'hours', '8'],
  ['999.00', 'percent', '999.00'],
  ['999.01', 'percent', '>999'],
  ['-12345.67', 'percent', '<−999'],
  ['1234.567', 'money', '1,234.567'],
])('reads %s of %s as %s in a sentence', (text, unit, shown) => {
  expect(formatRead(text, unit)).toBe(shown);
});

it.each([
  ['1.10', '1.1', 0],
  ['-2', '1', -1],
  ['10', '9.9999', 1],
  ['99999999999999999999.02', '99999999999999999999.01', 1],
])('compares %s with %s exactly', (one, other, order) => {
  expect(compareDecimals(one, other)).toBe(order);
});

it.each([
  ['day', '2026-05-25', '25 May 2026'],
  ['week', '2026-05-25', '25 May 2026'],
  ['month', '2026-05-01', 'May 26'],
  ['quarter', '2025-11-01', 'Nov 25 to Jan 26'],
  ['year', '2025-04-01', 'Apr 25 to Mar 26'],
  ['year', '2026-01-01', 'Jan 26 to Dec 26'],
])('names the %s from %s in words: %s', (period, start, words) => {
  expect(formatPeriod(period, start)).toBe(words);
});
