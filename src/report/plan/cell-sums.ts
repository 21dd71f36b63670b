import type { Amount } from '../catalogue/catalogue.ts';
import type { SqlColumn } from './measure.ts';
import { type Family, groupBy, keyNames, list } from './plan-summary.ts';

/** The SQL of each amount on a line, and the ledger columns that it reads. */
export const LINE_AMOUNTS: Readonly<Record<Amount, { expression: string; columns: readonly string[] }>> = {
  hours: { expression: 'hours', columns: ['hours'] },
  cost: { expression: 'cost', columns: ['cost'] },
  fee: { expression: 'fee', columns: ['fee'] },
  // Tests the rate's source: readers without the scope rates have no cost column.
  hours_without_cost_rate: {
    expression: `CASE WHEN cost_rate_source = 'none' THEN hours END`,
    columns: ['hours', 'cost_rate_source'],
  },
  hours_without_bill_rate: { expression: 'CASE WHEN fee IS NULL THEN hours END', columns: ['hours', 'fee'] },
};

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

export function aliased({ name, expression }: SqlColumn): string {
  return `${expression} AS "${name}"`;
}
