import type { Column, Subtotal } from '../report/catalogue/table.ts';
import { isNumeric } from './value-text.ts';

/** Returns the number of rows before a subtotal. */
export function endOf({ first, count }: Subtotal): number {
  return first + count;
}

/** Says in the texts of a subtotal's row what it is: at the first dimension that it adds up, or beside its first. */
export function labelSubtotal(
  columns: readonly Column[],
  { by }: Pick<Subtotal, 'by'>,
  texts: readonly string[],
): string[] {
  const place = columns.findIndex(({ name, unit }) => !isNumeric(unit) && !by.includes(name));
  return place < 0 ? texts.with(0, `${texts[0] ?? ''} total`.trim()) : texts.with(place, 'Total');
}
