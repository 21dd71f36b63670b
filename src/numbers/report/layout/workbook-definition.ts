/*
 * The workbook as data, as reports/workbook.yaml has it: which sheets there are, and what each shows.
 */

import type { MemoDefinition, OtherWindow, SummaryDefinition } from './block-definition.ts';

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

export interface PageDefinition extends ListedSheet {
  readonly page: BookPage;
}

/** Words by the amount that a bridge takes apart. */
type ByBridge = Readonly<Record<'cost' | 'fees' | 'revenue' | 'profit', string>>;

/** The steps of a bridge: its first amount, the effects, what contracts pay, and its last amount. */
type StepName =
  | 'scheduled_to_date'
  | 'volume'
  | 'project_mix'
  | 'role_mix'
  | 'people'
  | 'unpriced'
  | 'billability'
  | 'rate'
  | 'contract'
  | 'actual';

/** Conditions on the report of a workbook for a sheet to be there. */
export type SheetCondition = 'sums' | 'list' | 'subtotals' | 'lines' | 'pack' | 'bridge' | 'earned' | 'differences';

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

export interface SheetDefinition extends ListedSheet {
  readonly name: string;
  /** Default: the label of its report. */
  readonly label?: string | ByBridge;
  readonly report: string | readonly string[];
  readonly as?: ReportAs;
  readonly when?: SheetCondition;
  /** The days of its rows, instead of the window. A sheet of other days without lines is left out. */
  readonly window?: OtherWindow;
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
  /** The fewest rows with which it is printed. Default: 1. */
  readonly prints_from?: number;
  readonly notes?: readonly SheetNote[];
  readonly contents_by_project?: string;
}

/** The measures of a subject: scheduled, up to the cutoff, done, the difference from that, and expected in all. */
export const ASPECTS = [
  'scheduled',
  'scheduled_to_date',
  'actual',
  'variance',
  'variance_percent',
  'forecast',
] as const;

export type Aspect = (typeof ASPECTS)[number];

export interface SubjectDefinition {
  readonly label: string;
  /** The title of the part of the figures that begins with it, below the others. */
  readonly heading?: string;
  readonly measures: Readonly<Partial<Record<Aspect, string>>>;
  /** The subjects that it is the sum of. */
  readonly plus?: readonly string[];
  readonly minus?: readonly string[];
  /** The subjects that it divides. */
  readonly ratio?: readonly [part: string, whole: string];
  readonly is_total?: boolean;
  /** True for an amount of an hour, which is no measure. */
  readonly is_rate?: boolean;
  /** True if a part of it may be beyond agreed fees. */
  readonly is_billed?: boolean;
  /** True for one without a plan to date. */
  readonly is_further?: boolean;
  /** The subject that it is a part of; its totals are read apart, as reports don't show it. */
  readonly part_of?: string;
  /** True for a part that nobody owes. */
  readonly is_unpaid?: boolean;
  readonly note?: string;
}

export interface MeasureBars {
  readonly title: string;
  readonly measures: readonly string[];
  /** The sheet whose months they show. Default: months. */
  readonly sheet?: string;
}

/** A part of the page's overview: the measures of a subject in the groups of a report. */
interface OverviewPart {
  readonly report: string;
  readonly group_by: readonly string[];
  readonly compared: readonly Aspect[];
}

export interface OverviewDefinition {
  /** The subjects with their labels, the first by default. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly report: string;
  /** The measure of a subject that sorts them, largest first. */
  readonly sort: Aspect;
  /** The figures at its head, and a further measure of all projects, of one person, and of another row. */
  readonly headline: {
    readonly compared: readonly Aspect[];
    readonly projects: string;
    readonly people: string;
    readonly row: string;
  };
  readonly cells: OverviewPart;
  readonly months: OverviewPart;
}

/** Hours without a rate, and the note beside what their amounts are missing in. */
export interface UnpricedDefinition {
  readonly amounts: readonly string[];
  readonly hours: string;
  readonly note: string;
}

/** An unknown amount, estimated at the average of the hours whose amount is known; the rest are measures. */
export interface EstimateDefinition {
  readonly name: string;
  readonly amount: string;
  readonly hours: string;
  readonly without: string;
}

export interface StepDefinition {
  readonly label: string;
  readonly note: string;
  /** A further note of the bridge of profit. */
  readonly profit_note?: string;
}

/** The words of a bridge from the plan to the actual amount. */
export interface BridgeDefinition {
  readonly title: string;
  readonly subjects: ByBridge;
  readonly steps: Readonly<Record<StepName, StepDefinition>>;
}

export interface WorkbookDefinition {
  /** Columns of codes, each with the column of its word. */
  readonly words: Readonly<Record<string, string>>;
  /** The measures that tell how large a row is. */
  readonly sizes: readonly string[];
  readonly subjects: Readonly<Record<string, SubjectDefinition>>;
  readonly overview: OverviewDefinition;
  readonly unpriced: readonly UnpricedDefinition[];
  /** The labels of measures of tentative work. */
  readonly tentative: Readonly<Record<string, string>>;
  readonly comparisons: readonly { readonly label: string; readonly window: OtherWindow }[];
  /** The subjects of each chart, of which the first is drawn that the months show. */
  readonly bars: readonly (readonly string[])[];
  /** By report: measures by month on the charts of its workbook. */
  readonly bars_of: Readonly<Record<string, readonly MeasureBars[]>>;
  readonly bridge: BridgeDefinition;
  /** By check: findings that leave an amount unknown. */
  readonly estimates: Readonly<Record<string, EstimateDefinition>>;
  readonly summary: SummaryDefinition;
  readonly memo: MemoDefinition;
  readonly sheets: readonly (PageDefinition | SheetDefinition)[];
}

export function isPage(sheet: PageDefinition | SheetDefinition): sheet is PageDefinition {
  return 'page' in sheet;
}
