import { expect, it } from 'vitest';
import { formatBeside, formatReadable, formatRounded, type ReadableUnit } from '../src/base/exact-decimal.ts';

it.each<[string, ReadableUnit, number, string]>([
  ['744.583331', 'hours', 2, '744.58'],
  ['8955.46661', 'hours', 2, '8,955.47'],
  ['7.5', 'hours', 0, '7.50'],
  ['2.675', 'hours', 2, '2.68'],
  ['-2.675', 'hours', 2, '-2.68'],
  ['0.000000', 'hours', 2, '0.00'],
  ['-0.00', 'hours', 2, '0.00'],
  ['0.004999', 'hours', 2, '<0.01'],
  ['-0.004999', 'hours', 2, '>-0.01'],
  ['0.005', 'hours', 2, '0.01'],
  ['1234567.8949', 'money', 2, '1,234,567.89'],
  ['12345678901234567890.125', 'money', 2, '12,345,678,901,234,567,890.13'],
  ['1234.5', 'money', 0, '1,235'],
  ['0.4', 'money', 0, '<1'],
  ['1234.5', 'money', 3, '1,234.500'],
  ['140.1250', 'rate', 2, '140.13'],
  ['12.5', 'budget', 0, '12.50'],
  ['97.4', 'percent', 2, '97.4'],
  ['999', 'percent', 2, '999'],
  ['999.01', 'percent', 2, '>999'],
  ['-4100.00', 'percent', 2, '<-999'],
])('formats %s %s with %i minor units as %s', (value, unit, minorUnits, expected) => {
  expect(formatReadable(value, unit, minorUnits)).toBe(expected);
});

it('tells numbers apart that would read the same', () => {
  expect(formatBeside(['1234.5', '1234.506'], 'hours', 2)).toEqual(['1,234.50', '1,234.51']);
  expect(formatBeside(['1234.5', '1234.503'], 'hours', 2)).toEqual(['1,234.50', '1,234.503']);
  expect(formatBeside(['7.5', '7.500000'], 'hours', 2)).toEqual(['7.50', '7.50']);
});

it('gives nothing no sign', () => {
  expect(formatRounded('-0.001', 2)).toBe('0.00');
});
