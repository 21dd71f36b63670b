import type { Value } from '../../../../base/database/index.ts';
import type { Criterion, LineSum } from '../../../report/catalogue/definitions.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import { type ExactSum, openSum } from '../columns/exact-sum.ts';
import { openPivotValues, type PivotValues } from '../columns/pivot-values.ts';
import { openRowRanges, type RowRange } from './row-ranges.ts';
import type { TableFacts } from './worker-messages.ts';

/** The facts about a table's rows that other sheets need. */
export interface Records {
  readonly rowCount: number;
  readonly tallied: ReturnType<Tally['read']>;
  /** The rows of each key that other sheets link to. */
  readonly ranges: ReadonlyMap<string, RowRange>;
  readonly pivot: PivotValues | undefined;
  /** The numbers of rows by the value that its layout says to count. */
  readonly counts: ReadonlyMap<string, number>;
  /** The rows, kept for charts only. */
  readonly kept: readonly (readonly Value[])[];
}

/** Opens the records of a table, which are collected while its rows stream. */
export function openRowRecords(facts: TableFacts, lineSums: readonly LineSum[]) {
  const { columns } = facts;
  const { hasLines, keepsRows, tallied } = facts.layout;
  const tally = openTally(columns, hasLines ? lineSums : []);
  const pivot = openPivotValues(hasLines ? columns : []);
  const counts = new Map<string, number>();
  const counted = columns.findIndex(({ name }) => name === tallied);
  const ranges = openRowRanges(facts);
  const kept: (readonly Value[])[] = [];
  let rowCount = 0;
  return {
    add(values: readonly Value[], sheet: string, row: number): void {
      tally.add(values);
      ranges.add(values, sheet, row);
      pivot.add(values);
      if (keepsRows) kept.push(values);
      if (counted >= 0) countOne(counts, String(values[counted]));
      rowCount += 1;
    },
    read: (): Records => ({
      rowCount,
      tallied: tally.read(),
      ranges: ranges.read(),
      pivot: pivot.read(),
      counts,
      kept,
    }),
  };
}

export function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Exact sums over the rows by the criteria that they meet. */
interface Tally {
  add(row: readonly Value[]): void;
  /** Returns the sums whose columns exist, in millionths. */
  read(): { readonly sum: LineSum; readonly units: bigint }[];
}

/** Opens a tally, which groups rows by the set of criteria that they meet. */
function openTally(columns: readonly Column[], sums: readonly LineSum[]): Tally {
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
