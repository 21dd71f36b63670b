import { Exact, type ExactDecimal } from '../../../base/index.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { summedFields } from './describing.ts';
import { isPlainDecimal, type JsonRecord } from './merged-values.ts';

/** The sum of one field over the rows of a file, and that of its rows whose record nobody knows. */
export interface FieldSum {
  readonly field: string;
  readonly total: string;
  readonly unknown: string;
}

/** The totals of a file whose rows only describe records. */
export interface DescribedTotals {
  /** The rows that were read. */
  readonly rows: number;
  /** The rows that describe a record which doesn't exist. */
  readonly unknown: number;
  /** The different records that the other rows describe. */
  readonly subjects: number;
  readonly sums: readonly FieldSum[];
}

/** The count of the rows of a describing file. */
export interface DescribedCount {
  add(row: JsonRecord): void;
  /** Counts a row that describes a record which doesn't exist. */
  addUnknown(row: JsonRecord): void;
  /** @param isKnown Tells whether the record of an id exists. */
  finish(isKnown: (id: string) => boolean): DescribedTotals;
}

/** Opens the count of the rows of a describing file. */
export function openDescribedCount(mapping: FileMapping): DescribedCount {
  const { id } = mapping.resource;
  const fields = summedFields(mapping);
  const openSums = () => new Map<string, ExactDecimal>(fields.map((field) => [field, new Exact(0)]));
  const [totals, unknowns] = [openSums(), openSums()];
  const ids = new Set<string>();
  let [rows, unknown] = [0, 0];
  return {
    add(row) {
      rows += 1;
      ids.add(String(row[id] ?? ''));
      addTo(totals, row);
    },
    addUnknown(row) {
      unknown += 1;
      addTo(unknowns, row);
    },
    finish: (isKnown) => ({
      rows,
      unknown,
      subjects: [...ids].filter(isKnown).length,
      sums: [...totals].map(([field, total]) => ({
        field,
        total: total.toFixed(),
        unknown: unknowns.get(field)?.toFixed() ?? '0',
      })),
    }),
  };
}

/** Adds the numbers of a row to sums by field; a value that is no number is set aside later, with its own reason. */
function addTo(sums: Map<string, ExactDecimal>, row: JsonRecord): void {
  for (const [field, sum] of sums) if (isPlainDecimal(row[field])) sums.set(field, sum.plus(String(row[field])));
}
