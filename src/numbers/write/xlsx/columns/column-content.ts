import { type Content, dateSerial, percentToFraction, trimDecimal } from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';

/** Returns the content of a column's value; undefined for null. Decimals never pass through a float. */
export function cellContentOf({ name, unit }: Column, value: Value): Content | undefined {
  if (value === null) return undefined;
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'object') return { text: JSON.stringify(value) };
  switch (unit) {
    case 'date':
      return { number: String(dateSerial(String(value))) };
    case 'percent':
      return { number: isPoints(name) ? trimDecimal(String(value)) : percentToFraction(String(value)) };
    case 'hours':
    case 'money':
    case 'rate':
    case 'index':
    case 'budget':
    case 'count':
    case 'number':
      return { number: trimDecimal(String(value)) };
    default:
      return { text: String(value) };
  }
}

/** Tests for a difference of percentages, whose cell holds points: 1.5 for +1.5 pts. */
function isPoints(name: string): boolean {
  return name.endsWith('_points');
}
