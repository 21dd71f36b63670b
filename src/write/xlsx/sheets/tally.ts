import type { Value } from '../../../database/database.ts';
import type { Criterion, LineSum } from '../../../report/catalogue/definitions.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import { type ExactSum, openSum } from '../package/decimal.ts';

/** Exact sums over the rows by the criteria that they meet. */
export interface Tally {
  add(row: readonly Value[]): void;
  /** Returns the sums whose columns exist, in ten-thousandths. */
  read(): { readonly sum: LineSum; readonly units: bigint }[];
}

/** Opens a tally, which groups rows by the set of criteria that they meet. */
export function openTally(columns: readonly Column[], sums: readonly LineSum[]): Tally {
  const place = (name: string) => columns.findIndex((column) => column.name === name);
  const supported = sums.filter(({ amount, criteria }) =>
    [amount, ...criteria.map(({ column }) => column)].every((name) => place(name) >= 0),
  );
  const keyOf = (criterion: Criterion) => JSON.stringify(criterion);
  const criteria = [...new Map(supported.flatMap((sum) => sum.criteria).map((each) => [keyOf(each), each])).values()];
  const tests = criteria.map((criterion) => testOf(criterion, place(criterion.column)));
  const amounts = [...new Set(supported.map(({ amount }) => amount))];
  const places = amounts.map(place);
  const cells = new Map<number, ExactSum[]>();
  return {
    add(row) {
      let met = 0;
      for (let bit = 0; bit < tests.length; bit += 1) if (tests[bit]?.(row)) met |= 1 << bit;
      const cell = cells.get(met) ?? places.map(openSum);
      cells.set(met, cell);
      for (let i = 0; i < places.length; i += 1) {
        const value = row[places[i] ?? 0];
        if (typeof value === 'string') cell[i]?.add(value);
      }
    },
    read: () =>
      supported.map((sum) => {
        const bits = sum.criteria.map(
          (criterion) => 1 << criteria.findIndex((each) => keyOf(each) === keyOf(criterion)),
        );
        const mask = bits.reduce((all, bit) => all | bit, 0);
        const units = [...cells]
          .filter(([met]) => (met & mask) === mask)
          .reduce((total, [, cell]) => total + (cell[amounts.indexOf(sum.amount)]?.units() ?? 0n), 0n);
        return { sum, units };
      }),
  };
}

function testOf({ operator, value }: Criterion, index: number): (row: readonly Value[]) => boolean {
  if (operator === '=') return (row) => row[index] === value;
  if (operator === '<=') return (row) => String(row[index]) <= String(value);
  return (row) => String(row[index]) > String(value);
}
