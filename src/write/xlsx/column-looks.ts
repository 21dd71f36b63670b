import type { Column } from '../../report/table.ts';
import { isNumeric } from '../value-text.ts';
import type { Condition } from './sheet.ts';
import { CONDITIONS, isVariance, numberFormat, type Style } from './styles.ts';

/** Aligns numbers right and everything else left, with an indent after a number. */
export function styleOf(column: Column, before: Column | undefined, minorUnits: number): Style {
  const format = numberFormat(column, minorUnits);
  const look = format === undefined ? {} : { format };
  if (isNumeric(column.unit)) return look;
  return before && isNumeric(before.unit) ? { ...look, align: 'left', indent: 1 } : { ...look, align: 'left' };
}

/** Colors variances green or red by their favourable sign, other signed columns only red. */
export function conditionsOf(columns: readonly Column[], letters: readonly string[], lastRow: number): Condition[] {
  return columns.flatMap(({ name, better }, i): Condition[] => {
    if (better === undefined || better === 'none') return [];
    const range = `${letters[i]}2:${letters[i]}${lastRow}`;
    const [good, bad] =
      better === 'more' ? (['greaterThan', 'lessThan'] as const) : (['lessThan', 'greaterThan'] as const);
    return [
      ...(isVariance(name) ? [{ range, when: { operator: good }, style: CONDITIONS.good }] : []),
      { range, when: { operator: bad }, style: CONDITIONS.bad },
    ];
  });
}
