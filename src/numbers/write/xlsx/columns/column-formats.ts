import { alignWithAmounts, amountDigits, amountFormat, BOOLEAN_FORMAT } from '../../../../../packages/xlsx/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';

/** Returns a column's number format; variances show a sign and F (favorable) or U (unfavorable). */
export function numberFormat({ unit, better, name }: Column, minorUnits: number): string | undefined {
  if (better !== undefined && isVariance(name)) {
    const digits = unit === 'money' ? amountDigits(minorUnits) : unit === 'percent' ? '0.0" pts"' : '#,##0.00';
    const [up, down] = { more: ['" F"', '" U"'], less: ['" U"', '" F"'], none: ['_ _U', '_ _U'] }[better];
    return `+${digits}${up};-${digits}${down};${unit === 'money' ? '"-"' : digits}_ _U`;
  }
  switch (unit) {
    case 'money':
      return amountFormat(minorUnits);
    case 'hours':
    case 'budget':
      return '#,##0.00';
    case 'rate':
      return '#,##0.00##';
    case 'index':
      return '0.00##';
    case 'percent':
      return '0.0%';
    case 'count':
      return '#,##0';
    case 'number':
      return '0';
    case 'date':
      return name === 'month' ? 'mmm yyyy' : 'yyyy-mm-dd';
    case 'boolean':
      return BOOLEAN_FORMAT;
    default:
      return undefined;
  }
}

/** Returns a column's format with room for the bracket of money, which numbers beside it need, too. */
export function alignedFormat(column: Column, minorUnits: number): string {
  return alignWithAmounts(numberFormat(column, minorUnits) ?? '');
}

export function isVariance(name: string): boolean {
  return name.startsWith('variance_');
}
