/*
 * Lists on the page Summary as data: which rows each shows, in which order, and in which words.
 */

/** Words with placeholders; of several, the first that holds and whose values are known is said. */
export type BlockWords = string | readonly (string | { readonly when: string; readonly text: string })[];

/**
 * The windows beside that of a report: the one before it, the same one a year ago, the fiscal year up to its end, for windows that begin later
 * in it, the same days a year before, and the months around it.
 */
export type OtherWindow = 'prior' | 'last_year' | 'year_to_date' | 'last_year_to_date' | 'outlook';

/** The rows that a list chooses from: those of the workbook's own report, those of its outlook, causes of findings, or those of another report. */
export interface ListSource {
  readonly report: string;
  /** Dimensions of a pivot; `all` for one row of the totals. */
  readonly group_by?: string;
  readonly interval?: 'quarter';
  /** The days of the rows, instead of the window. */
  readonly window?: OtherWindow;
  readonly measures?: readonly string[];
  /** The measure that the months must show. */
  readonly with?: string;
  /** The filters with which the rows are still whole. Default: all. */
  readonly filters?: readonly string[];
  /** The dimensions of which the rows must have one, and no interval, so that none repeats. */
  readonly whole?: readonly string[];
}

/** A fact that is made of others of its row: their sum, a share in percent, a ratio, or the first that is known. */
export type MadeFact = Readonly<Partial<Record<'sum' | 'difference' | 'share' | 'ratio' | 'first', readonly string[]>>>;

/** Values that facts must have. */
export type FactValues = Readonly<Record<string, string>>;

/** The rows of a list: chosen, added up if they are grouped, sorted largest first, and cut. */
export interface ListChoice {
  readonly rows: ListSource;
  /** The facts that the rows must have; without one, nothing is shown. */
  readonly needs?: readonly string[];
  /** The facts without which a row is left out. */
  readonly known?: readonly string[];
  readonly only?: FactValues;
  readonly facts?: Readonly<Record<string, MadeFact>>;
  /** The numbers of rows that meet a condition, or have some values. */
  readonly counts?: Readonly<Record<string, string | FactValues>>;
  /** The fact by whose values rows are added up; `all` for one row of all. */
  readonly group?: string;
  readonly sums?: readonly string[];
  /** The facts whose different values are counted in each group. */
  readonly distinct?: Readonly<Record<string, string>>;
  readonly group_facts?: Readonly<Record<string, MadeFact>>;
  /** A condition, or several of which one must hold. */
  readonly where?: string | readonly string[];
  readonly unless?: string;
  readonly sort?: readonly string[];
  /** The smallest first. */
  readonly order?: 'least';
  /** The number of rows from the largest that another list has. */
  readonly after?: number;
  readonly limit?: number;
}

export interface CellDefinition {
  /** The letter of its column. */
  readonly at: string;
  readonly title?: string;
  readonly text?: BlockWords;
  readonly look?: 'bold' | 'quiet' | 'note' | 'link';
  /** The fact whose mark is shown. */
  readonly mark?: string;
  /** The value of the own sheet's tally that ends the text as a live count. */
  readonly counted?: string;
  readonly number?: string;
  /** The fact that is a day. */
  readonly date?: string;
  /** The fact whose value is the unit: hours, or the currency. */
  readonly unit_of?: string;
  /** The fact by which rows of the own report add up to the number. */
  readonly sum_by?: string;
  /** The columns of the same row that it divides. */
  readonly ratio?: readonly [part: string, whole: string];
  /** The columns of the same row between which it is the change. */
  readonly change?: readonly [now: string, then: string];
  readonly judge?: 'budget';
}

/** A list, below or beside the one before. */
export interface ListDefinition extends ListChoice {
  readonly beside?: boolean;
  readonly words?: Readonly<Record<string, BlockWords>>;
  readonly title?: BlockWords;
  /** True for a list that is shown without rows. */
  readonly always?: boolean;
  /** The cells before the rows. */
  readonly lead?: readonly CellDefinition[];
  readonly columns?: readonly CellDefinition[];
  /** The cells of each row in several lines. */
  readonly lines?: readonly (readonly CellDefinition[])[];
  /** The cells after the rows, where there are more. */
  readonly more?: readonly CellDefinition[];
}

/** Rows in words, one after the other. */
export interface PhraseDefinition extends ListChoice {
  readonly each: string;
  readonly join?: string;
  /** The words after them, where there are more. */
  readonly more: string;
  readonly none: string;
}

/** A part of the page Summary: one that the program makes, or a list; on the first page unless another is there. */
export type PlacedBlock = string | { readonly block: string; readonly unless: string };

/** The order of Summary: the blocks that its first page takes, and those after all others. */
export interface BlockOrder {
  readonly first: readonly PlacedBlock[];
  readonly last: readonly string[];
}

/** A page about a closing: lists of what it was, what was open, its totals then and now, and what has come since. */
export interface MemoDefinition {
  readonly label: string;
  readonly measures: readonly string[];
  /** The widths of its columns. Unit: characters. */
  readonly widths: readonly number[];
  readonly lists: readonly ListDefinition[];
}

/** The lists on Summary, and its order. */
export interface SummaryDefinition extends BlockOrder {
  readonly marks: Readonly<Record<string, { readonly text: string; readonly color: 'good' | 'bad' | 'warn' }>>;
  readonly phrases: Readonly<Record<string, PhraseDefinition>>;
  readonly lists: Readonly<Record<string, readonly ListDefinition[]>>;
  /** Measures that a list tells, and no further figure. */
  readonly told: Readonly<Record<string, readonly string[]>>;
  /** The order in workbooks of some reports. */
  readonly orders: Readonly<Record<string, BlockOrder>>;
}
