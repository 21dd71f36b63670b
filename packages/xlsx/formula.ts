/** A condition on the cells of a column: a comparison with a date (YYYY-MM-DD), a text, or TRUE or FALSE. */
export interface CellCriterion {
  readonly column: string;
  readonly operator: string;
  readonly value: string | boolean;
}

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

/**
 * Returns the sum of a column over the rows that meet all criteria.
 * @param headerOf Returns the header of a column by name.
 */
export function criteriaFormula(
  tables: readonly string[],
  amount: string,
  criteria: readonly CellCriterion[],
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

function formatCriterion({ operator, value }: CellCriterion): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (year === undefined) return `"${value}"`;
  return `"${operator}"&DATE(${Number(year)},${Number(month)},${Number(day)})`;
}

/** Escapes brackets, # and ', which have a meaning in references. */
function quoteHeader(header: string): string {
  return header.replaceAll(/[[\]#']/g, "'$&");
}
