import type { Table } from '../catalogue/table.ts';
import type { Derivation } from '../explain/derivation.ts';

/** A table, and the derivation of each of its columns. */
export interface SheetTable {
  readonly table: Table;
  readonly derivations: readonly Derivation[];
}

/** The role of a sheet: the report, its rows in groups with subtotals, its months, its profit explained, earned value, the lines that have changed, the lines that it sums, or findings about them. */
export type SheetRole = 'report' | 'subtotals' | 'months' | 'bridge' | 'earned' | 'changed' | 'data' | 'quality';

/** A column that counts the rows of another sheet for each row, and links to them. */
export interface LinkedColumn {
  readonly column: string;
  readonly sheet: string;
}

/** The columns of a sheet beyond their values. */
export interface SheetLayout {
  /** The columns shown at first; the others are in collapsed groups. Undefined: all. */
  readonly wanted?: readonly string[];
  /** The column whose rows of one value are consecutive, so that other sheets can link to them. */
  readonly groupedBy?: string;
  readonly linked?: readonly LinkedColumn[];
  /** The column that readers write. */
  readonly written?: string;
}

export interface Sheet {
  readonly name: string;
  readonly role: SheetRole;
  readonly layout: SheetLayout;
  /** Reads the table; called once, and one at a time. */
  open(): Promise<SheetTable>;
}
