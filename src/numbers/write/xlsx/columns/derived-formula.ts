import type { Column } from '../../../report/catalogue/table.ts';
import type { CellFormula, Ratio, RatioDifference } from '../../../report/explain/explain-request.ts';

/** Returns the ratio of two numbers, rounded like percentages; blank when the whole is 0. */
export function ratioFormula(part: string, whole: string): string {
  return `IF(${whole}=0,"",ROUND((${part})/(${whole}),4))`;
}

/**
 * Returns a ratio of columns, the points between two, or another formula of columns, rounded once; undefined if a column isn't there.
 * @param digits The decimals of the column; without them, there is no formula that rounds to them.
 * @param referenceOf Returns the reference to the number of a column.
 */
export function derivedFormula(
  derived: Ratio | RatioDifference | CellFormula,
  referenceOf: (column: string) => string | undefined,
  digits?: number,
): string | undefined {
  if ('cells' in derived) return fillFormula(derived, referenceOf, digits);
  if ('part' in derived) {
    const [part, whole] = [derived.part, derived.whole].map(referenceOf);
    return part && whole && ratioFormula(part, whole);
  }
  const { minuend, subtrahend } = derived;
  const [a, b, c, d] = [minuend.part, minuend.whole, subtrahend.part, subtrahend.whole].map(referenceOf);
  return a && b && c && d && `IF(OR(${b}=0,${d}=0),"",ROUND(100*((${a})/(${b})-(${c})/(${d})),2))`;
}

/** Puts references in place of the columns of a formula; undefined if a column isn't there. */
export function fillFormula(
  { cells }: CellFormula,
  referenceOf: (column: string) => string | undefined,
  digits: number | undefined,
): string | undefined {
  const names = new Set([...cells.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name));
  const filled = [...names].map((name) => [name, name === 'digits' ? digits?.toString() : referenceOf(name)] as const);
  if (filled.some(([, reference]) => reference === undefined)) return undefined;
  const references = new Map(filled);
  return cells.replaceAll(/\[(\w+)\]/g, (_, name: string) => references.get(name) ?? '');
}

/** Returns the decimals to which formulas round quotients of a column's unit. */
export function decimalsOfUnit(unit: Column['unit'], minorUnits: number): number {
  return unit === 'money' ? minorUnits : 4;
}

/** Returns the difference of two cells with percentages, in points; blank when one is. */
export function pointsFormula(minuend: string, subtrahend: string): string {
  return `IF(OR(${minuend}="",${subtrahend}=""),"",ROUND(100*((${minuend})-(${subtrahend})),2))`;
}
