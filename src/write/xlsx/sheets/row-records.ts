import type { Value } from '../../../database/database.ts';
import type { LineSum } from '../../../report/catalogue/definitions.ts';
import { openPivotValues, type PivotValues } from '../package/pivot-values.ts';
import { openRowRanges, type RowRange } from './row-ranges.ts';
import { openTally, type Tally } from './tally.ts';
import type { TableFacts } from './worker-messages.ts';

/** The facts about a table's rows that other sheets need. */
export interface Records {
  readonly rowCount: number;
  readonly tallied: ReturnType<Tally['read']>;
  /** The rows of each key that other sheets link to. */
  readonly ranges: ReadonlyMap<string, RowRange>;
  /** The values of a pivot table of the lines. */
  readonly pivot: PivotValues | undefined;
  readonly severities: ReadonlyMap<string, number>;
  /** The rows, kept for the months only. */
  readonly kept: readonly (readonly Value[])[];
}

/** Opens the records of a table, which are collected while its rows stream. */
export function openRowRecords(facts: TableFacts, lineSums: readonly LineSum[]) {
  const { columns, role } = facts;
  const tally = openTally(columns, role === 'data' ? lineSums : []);
  const pivot = openPivotValues(role === 'data' ? columns : []);
  const severities = new Map<string, number>();
  const severity = role === 'quality' ? columns.findIndex(({ name }) => name === 'severity') : -1;
  const ranges = openRowRanges(facts);
  const kept: (readonly Value[])[] = [];
  let rowCount = 0;
  return {
    add(values: readonly Value[], sheet: string, row: number): void {
      tally.add(values);
      ranges.add(values, sheet, row);
      pivot.add(values);
      if (role === 'months') kept.push(values);
      if (severity >= 0) countOne(severities, String(values[severity]));
      rowCount += 1;
    },
    read: (): Records => ({
      rowCount,
      tallied: tally.read(),
      ranges: ranges.read(),
      pivot: pivot.read(),
      severities,
      kept,
    }),
  };
}

export function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
