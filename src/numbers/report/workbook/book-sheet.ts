import type { Table } from '../catalogue/table.ts';
import type { Derivation } from '../explain/derivation.ts';
import type { TabKind } from '../layout/workbook-definition.ts';

/** A table, and the derivation of each of its columns. */
export interface SheetTable {
  readonly table: Table;
  readonly derivations: readonly Derivation[];
}

/** The place of a sheet: among the others, on paper and in the list of contents. */
export interface SheetPlace {
  /** The position among all sheets. */
  readonly rank: number;
  readonly tab: TabKind | undefined;
  readonly isPrinted: boolean;
  /** Its line in the list of contents; undefined for none. */
  readonly contents: string | undefined;
}

/** A column that counts the rows of another sheet for each row, and links to them. */
export interface LinkedColumn {
  readonly column: string;
  readonly sheet: string;
}

/** The way in which a sheet shows its rows. */
export interface SheetLayout extends SheetPlace {
  /** True for groups of rows, each followed by its sum. */
  readonly hasGroups: boolean;
  /** True if cells that are made of others in their row are formulas. */
  readonly hasLiveRows: boolean;
  /** True if its rows are the lines that other sheets sum. */
  readonly hasLines: boolean;
  /** True if its rows are of other days than those of the report, so that its totals are others. */
  readonly hasOwnDays: boolean;
  /** True if charts show its rows. */
  readonly keepsRows: boolean;
  /** The column whose values are counted. */
  readonly tallied?: string;
  /** The columns shown at first; the others are in collapsed groups. Undefined: all. */
  readonly wanted?: readonly string[];
  /** The column whose rows of one value are consecutive, so that other sheets can link to them. */
  readonly groupedBy?: string;
  readonly linked?: readonly LinkedColumn[];
  /** The column that readers write. */
  readonly written?: string;
}

export interface Sheet {
  /** The name by which the workbook's definition names it. */
  readonly key: string;
  readonly name: string;
  readonly layout: SheetLayout;
  /** Reads the table; called once, and one at a time. */
  open(): Promise<SheetTable>;
}
