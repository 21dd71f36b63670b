import type { Criterion } from '../../report/line-sums.ts';

/** A column of a native table, as formulas name it. */
export function columnRef(table: string, header: string): string {
  return `${table}[${quoteHeader(header)}]`;
}

/** The total of a column in the totals row of a native table. */
export function totalRef(table: string, header: string): string {
  return `${table}[[#Totals],[${quoteHeader(header)}]]`;
}

/** The sum of a column over the tables that it is spread over. */
export function sumFormula(tables: readonly string[], header: string): string {
  return tables.map((table) => `SUM(${columnRef(table, header)})`).join('+');
}

/** The same over the rows that a filter leaves visible. */
export function visibleSumFormula(tables: readonly string[], header: string): string {
  return tables.map((table) => `SUBTOTAL(109,${columnRef(table, header)})`).join('+');
}

/** A part of a whole, rounded as percentages are; blank when the whole is 0. */
export function ratioFormula(part: string, whole: string): string {
  return `IF(${whole}=0,"",ROUND((${part})/(${whole}),4))`;
}

/** The sum of a column over the rows that meet all criteria. @param headerOf The header of a column by its name. */
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

/** Brackets, # and ' have a meaning of their own in a reference. */
function quoteHeader(header: string): string {
  return header.replaceAll(/[[\]#']/g, "'$&");
}
