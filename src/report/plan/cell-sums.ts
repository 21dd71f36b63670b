import { aliased, groupBy, list, type SqlColumn } from '../source/sql-columns.ts';
import { type Family, keyNames } from '../source/summary-plan.ts';

/** Returns the family of the sums of cells, by row and of all rows. */
export function sumsFamily(flags: readonly SqlColumn[], sums: readonly SqlColumn[]): Family {
  return {
    values: () => sums.map(({ name }) => name),
    parts: (plan) => [
      sumsPart('row_sums', 'cells', keyNames(plan), flags, sums),
      sumsPart('total_sums', plan.hasOverlap ? 'total_cells' : 'cells', [], flags, sums),
    ],
    ofRows: ['row_sums'],
    ofTotals: ['total_sums'],
  };
}

function sumsPart(
  name: string,
  cells: string,
  keys: readonly string[],
  flags: readonly SqlColumn[],
  sums: readonly SqlColumn[],
): string {
  const flagged = `SELECT ${list(['*'], flags.map(aliased))} FROM ${cells}`;
  // A count makes one row of totals from any number of cells, as sums do.
  return `${name} AS (SELECT ${list(keys, sums.map(aliased)) || 'COUNT(*) AS nothing'} FROM (${flagged}) AS cells ${groupBy(keys)})`;
}
