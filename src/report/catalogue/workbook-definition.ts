/*
 * The workbook as data, as reports/workbook.yaml has it: which sheets there are, and what each shows.
 */
import type { Bridge } from './bridges.ts';

/** The pages that a writer makes of the other sheets. */
export type BookPage = 'summary' | 'contents' | 'parameters' | 'pivot' | 'checks' | 'causes' | 'definitions';

/** The kind of a sheet by which its tab has a color. */
export type TabKind = 'report' | 'months' | 'lines' | 'findings' | 'about';

/** The fields of every sheet, in whatever way it is made. */
interface ListedSheet {
  readonly tab?: TabKind;
  /** False for a sheet that stays from paper. Default: true. */
  readonly paper?: boolean;
  /** Its line in the list of contents; absent from the list itself. */
  readonly contents?: string;
}

/** A page that a writer makes. */
export interface PageDefinition extends ListedSheet {
  readonly page: BookPage;
}

/** What the report of a workbook must have for a sheet to be there. */
export type SheetCondition = 'sums' | 'subtotals' | 'lines' | 'bridge' | 'earned' | 'differences';

/** The fields of a report that a sheet replaces. */
export interface ReportAs {
  readonly row: string;
  readonly rows: readonly string[];
  readonly columns?: Readonly<Record<string, string>>;
  readonly sort?: readonly string[];
  readonly has_all_periods?: boolean;
  /** The groups of measures, if the workbook's own report has none. */
  readonly measures?: readonly string[];
  /** The groups of measures that are left out. */
  readonly without?: readonly string[];
}

/** A note below the figures, said if the request has all values of `if`. */
export interface SheetNote {
  readonly text: string;
  readonly if?: Readonly<Record<string, string>>;
}

/** A column that a sheet has beside those of its report. */
export type AddedColumn = 'standing' | 'links' | 'comment';

/** A sheet with the rows of a report. */
export interface SheetDefinition extends ListedSheet {
  readonly name: string;
  /** Default: the label of its report. */
  readonly label?: string | Readonly<Record<Bridge, string>>;
  readonly report: string | readonly string[];
  readonly as?: ReportAs;
  readonly when?: SheetCondition;
  readonly shape?: 'groups';
  readonly fold?: 'table' | 'headline';
  readonly links?: readonly string[];
  /** The column of sheets that link to it. Default: its name. */
  readonly linked_as?: string;
  readonly adds?: readonly AddedColumn[];
  /** True if cells that are made of others in their row are formulas. */
  readonly has_live_rows?: boolean;
  /** True if its rows are the lines that other sheets sum. */
  readonly has_lines?: boolean;
  /** True if charts show its rows. */
  readonly keeps_rows?: boolean;
  readonly tallies?: string;
  readonly notes?: readonly SheetNote[];
  readonly contents_by_project?: string;
}

/** The workbook of every report. */
export interface WorkbookDefinition {
  /** Columns of codes, each with the column of its word. */
  readonly words: Readonly<Record<string, string>>;
  /** The measures that tell how large a row is. */
  readonly sizes: readonly string[];
  readonly sheets: readonly (PageDefinition | SheetDefinition)[];
}

export function isPage(sheet: PageDefinition | SheetDefinition): sheet is PageDefinition {
  return 'page' in sheet;
}
