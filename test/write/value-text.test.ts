import { expect, it } from 'vitest';
import { formatValue } from '../../src/numbers/write/value-text.ts';

it.each([
  [0, '100000', '12.5'],
  [2, '100000.00', '12.50'],
  [3, '100000.000', '12.500'],
])('3.5 budgets have the %i decimals of the minor unit, and all their digits', (minor_units, money, hours) => {
  const format = (value: string) => formatValue({ unit: 'budget' }, value, { minor_units });
  expect([format('100000.0000'), format('12.5000')]).toEqual([money, hours]);
});
