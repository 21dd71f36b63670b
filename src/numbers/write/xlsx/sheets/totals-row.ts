import { type Content, type TableColumn, totalRef, visibleSumFormula } from '../../../../../packages/xlsx/index.ts';
import { parseUnits } from '../../../../base/index.ts';
import { isNumeric } from '../../value-text.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { decimalsOfUnit, derivedFormula } from '../columns/derived-formula.ts';
import type { TableFacts } from './worker-messages.ts';

/**
 * Returns the cells of the totals row: formulas over visible rows where they add up, else constants.
 * @param isOfOneRow True if the table has one row, whose own formula is then that of the total, too.
 */
export function totalsOf(
  { columns, derivations, totals = [] }: TableFacts,
  isOfOneRow: boolean,
  headers: readonly string[],
  tables: readonly string[],
  sums: readonly (bigint | undefined)[],
  minorUnits: number,
): { content?: Content; total?: NonNullable<TableColumn['total']> }[] {
  const last = tables.at(-1) ?? '';
  const reference = (name: string) => {
    const index = columns.findIndex((column) => column.name === name);
    return index < 0 || totals[index] === null ? undefined : totalRef(last, headers[index] ?? '');
  };
  return columns.map((column, i) => {
    if (i === 0 && !isNumeric(column.unit)) return { content: { text: 'Total' }, total: { label: 'Total' } };
    const cached = cellContentOf(column, totals[i] ?? null);
    const { inRow, total } = derivations[i] ?? {};
    if (!cached || total === undefined) return {};
    if (sums[i] !== undefined && sums[i] === parseUnits(String(totals[i]))) {
      const formula = visibleSumFormula(tables, headers[i] ?? '');
      return { content: { formula, cached }, total: { formula, isSum: tables.length === 1 } };
    }
    if (typeof total !== 'object') return { content: cached };
    const derived = (isOfOneRow ? inRow : undefined) ?? total;
    const formula = derivedFormula(derived, reference, decimalsOfUnit(column.unit, minorUnits));
    return formula ? { content: { formula, cached }, total: { formula, isSum: false } } : { content: cached };
  });
}
