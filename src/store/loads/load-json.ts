/* The answers about loads as JSON, as types alone: the page reads them, too. */

export interface UnderstoodFile {
  readonly file: string;
  readonly sheet: string | null;
  /** The program that wrote it, and its export, if they are known. */
  readonly program: string | null;
  /** The resources that its rows are records of; none if it isn't understood. */
  readonly resources: readonly string[];
  /** The one that its rows are, rather than what they name; null if it isn't understood. */
  readonly main: string | null;
  /** The fields of that one which a column can give. */
  readonly fields: readonly string[];
  /** The places of its entries in the mapping; none if its headers name the fields. */
  readonly entries: readonly number[];
  readonly columns: readonly { readonly header: string; readonly values: readonly string[] }[];
  /** The relations of columns that were found, and what isn't read, in sentences. */
  readonly notes: readonly string[];
}

export interface FirstRecords {
  readonly file: string;
  readonly resource: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** Reasons for setting some of these records aside. */
  readonly problems: readonly string[];
}

export interface TakenFile extends UnderstoodFile {
  readonly first: FirstRecords | null;
}

/** A decision that a mapping leaves open, with what a person may choose. */
export interface OpenDecision {
  readonly file: string;
  readonly sheet: string | null;
  /** The places of the file's entries in the mapping. */
  readonly entries: readonly number[];
  /** The open decision, in a sentence. */
  readonly text: string;
  /** The ways to decide it; none where the file has to be another one. */
  readonly choices: readonly OpenChoice[];
  /** True if the name of the person whose time it is decides it, too. */
  readonly takes_name: boolean;
}

/** A way to decide: the members that each entry of the file gets, and the fields of those of one resource. */
export interface OpenChoice {
  readonly label: string;
  readonly members?: Readonly<Record<string, string>>;
  readonly resource?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The column that names the people, instead of a blank name. */
  readonly person?: string;
}

/** An entry of a mapping, unchecked. */
export interface MappingFileEntry {
  readonly file: string;
  readonly sheet?: string;
  readonly resource?: string;
  readonly open?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A mapping, unchecked: its parser tells what is wrong with it. */
export interface MappingJson {
  readonly files?: readonly MappingFileEntry[];
  readonly names?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly [member: string]: unknown;
}

export interface FileTotals {
  readonly file: string;
  readonly resource: string;
  readonly read: number;
  readonly records: number;
  readonly set_aside: number;
  readonly duplicates: number;
  readonly left_out: readonly { readonly condition: string; readonly rows: number }[];
  readonly hours: string | null;
  readonly billable_hours: string | null;
  readonly fees: string | null;
  readonly cost: string | null;
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly people: number | null;
  readonly projects: number | null;
  /** The rates and amounts of rows that only describe records, added up, and those of the rows set aside; absent for others. */
  readonly sums?: readonly { readonly field: string; readonly total: string; readonly set_aside: string }[];
  /** The totals that the file has itself. */
  readonly own: readonly { readonly name: string; readonly total: string; readonly difference: string | null }[];
}

/** The changes of a resource. Unit: records. */
export interface ResourceChanges {
  readonly resource: string;
  readonly new: number;
  readonly changed: number;
  readonly gone: number;
}

/** A field, or a list, that the live data and the files give differently. */
export interface FieldConflict {
  readonly resource: string;
  readonly record_id: string;
  readonly name: string | null;
  /** Null for a record that the files no longer have. */
  readonly field: string | null;
  readonly here: string | null;
  readonly files: string | null;
}

/** A name in the files, and another record that it may be. */
export interface KnownName {
  readonly resource: string;
  readonly name: string;
  /** The id of that record, or the name that its id is made of. */
  readonly id: number | string;
  /** The e-mail that both have; null if it is the name. */
  readonly email: string | null;
}

export type QuestionName = 'conflicts' | 'fewer' | 'days' | 'names';

/** A question to a person before files are loaded. */
export interface ToldQuestion {
  readonly name: QuestionName;
  readonly text: string;
  readonly is_answered: boolean;
  readonly names: readonly KnownName[];
}

/** The effect of a load on reports: differences by project and cause. */
export interface ReportEffect {
  readonly start_date: string;
  readonly end_date: string;
  readonly changes: readonly Readonly<Record<string, unknown>>[];
}

/** The changes of a load, made or planned. */
export interface ToldEffect {
  readonly totals: readonly FileTotals[];
  readonly differences: readonly string[];
  readonly set_aside: readonly string[];
  readonly unread: readonly string[];
  readonly file_conflicts: readonly string[];
  readonly near_names: readonly string[];
  readonly changes: readonly ResourceChanges[];
  readonly conflicts: readonly FieldConflict[];
  readonly questions: readonly ToldQuestion[];
  readonly notes: readonly string[];
  /** Null where it isn't asked for, or not known. */
  readonly reports: ReportEffect | null;
}

/** The meaning of files, and their changes once they are read wholly. */
export interface ToldLoad extends Partial<ToldEffect> {
  /** Null for a dry run. */
  readonly id: number | null;
  readonly files: readonly TakenFile[];
  readonly mapping: string;
  /** The mapping as JSON has it, to be changed and sent again. */
  readonly entries: MappingJson;
  readonly open: readonly OpenDecision[];
}

export interface ListedLoad {
  readonly id: number;
  readonly loaded_at: string;
  readonly loaded_by: string;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  readonly totals: readonly FileTotals[];
  readonly undone_at: string | null;
  readonly undone_by: string | null;
}

export interface LoadProgress {
  readonly step: string;
  /** The part of the step that is done, from 0 to 1. */
  readonly part: number;
}

/** The loads of a server, the newest first, and the one in work. */
export interface LoadList {
  readonly loads: readonly ListedLoad[];
  readonly running: LoadProgress | null;
}
