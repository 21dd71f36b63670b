import { SUM_DECIMALS } from '../../../exact-decimal.ts';
import type { Criterion } from '../../../report/catalogue/definitions.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import type { CellFormula, Ratio, RatioDifference } from '../../../report/explain/explain-request.ts';

export function columnRef(table: string, header: string): string {
  return `${table}[${quoteHeader(header)}]`;
}

export function totalRef(table: string, header: string): string {
  return `${table}[[#Totals],[${quoteHeader(header)}]]`;
}

export function sumFormula(tables: readonly string[], header: string): string {
  return tables.map((table) => `SUM(${columnRef(table, header)})`).join('+');
}

/** Returns the sum of a column over visible rows. */
export function visibleSumFormula(tables: readonly string[], header: string): string {
  return tables.map((table) => `SUBTOTAL(109,${columnRef(table, header)})`).join('+');
}

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

/** Returns the decimals of a column's unit in formulas. */
export function decimalsOfUnit(unit: Column['unit'], minorUnits: number): number {
  if (unit === 'money') return minorUnits;
  return unit === 'hours' ? SUM_DECIMALS : 4;
}

/** Returns the difference of two cells with percentages, in points; blank when one is. */
export function pointsFormula(minuend: string, subtrahend: string): string {
  return `IF(OR(${minuend}="",${subtrahend}=""),"",ROUND(100*((${minuend})-(${subtrahend})),2))`;
}

/**
 * Returns the sum of a column over the rows that meet all criteria.
 * @param headerOf Returns the header of a column by name.
 */
export function criteriaFormula(
  tables: readonly string[],
  amount: string,
  criteria: readonly Criterion[],
  headerOf: (column: string) => string,
): string {
  return tables
    .map((table) => {
      const conditions = criteria.map(
        (criterion) => `${columnRef(table, headerOf(criterion.column))},${formatCriterion(criterion)}`,
      );
      return `SUMIFS(${[columnRef(table, headerOf(amount)), ...conditions].join(',')})`;
    })
    .join('+');
}

function formatCriterion({ operator, value }: Criterion): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (year === undefined) return `"${value}"`;
  return `"${operator}"&DATE(${Number(year)},${Number(month)},${Number(day)})`;
}

/** Escapes brackets, # and ', which have a meaning in references. */
function quoteHeader(header: string): string {
  return header.replaceAll(/[[\]#']/g, "'$&");
}
