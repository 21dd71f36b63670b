/* The answers of the server about loads, as JSON. */

/** A column of a file, with the first values. */
export interface FileColumn {
  readonly header: string;
  readonly values: readonly string[];
}

/** A file, or a sheet of one, and what it is taken for. */
export interface TakenFile {
  readonly file: string;
  readonly sheet: string | null;
  readonly program: string | null;
  readonly resources: readonly string[];
  readonly main: string | null;
  readonly fields: readonly string[];
  /** The places of its entries in the mapping. */
  readonly entries: readonly number[];
  readonly columns: readonly FileColumn[];
  readonly first: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | null)[])[];
    readonly problems: readonly string[];
  } | null;
}

/** A way to decide what is open. */
export interface OpenChoice {
  readonly label: string;
  readonly members?: Readonly<Record<string, string>>;
  readonly resource?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface OpenPoint {
  readonly file: string;
  readonly sheet: string | null;
  readonly entries: readonly number[];
  readonly text: string;
  readonly choices: readonly OpenChoice[];
}

/** An entry of a mapping, as JSON. */
export interface MappingEntry {
  readonly file: string;
  readonly sheet?: string;
  readonly resource?: string;
  readonly open?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A mapping, as JSON. */
export interface MappingJson {
  readonly files?: readonly MappingEntry[];
  readonly names?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly [member: string]: unknown;
}

export interface FileTotals {
  readonly file: string;
  readonly resource: string;
  readonly records: number;
  readonly set_aside: number;
  readonly hours: string | null;
  readonly billable_hours: string | null;
  readonly cost: string | null;
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly people: number | null;
  readonly projects: number | null;
  readonly own: readonly { readonly name: string; readonly total: string; readonly difference: string | null }[];
}

export interface KnownName {
  readonly resource: string;
  readonly name: string;
  readonly id: number;
}

export interface Question {
  readonly name: string;
  readonly text: string;
  readonly is_answered: boolean;
  readonly names: readonly KnownName[];
}

/** The changes of a load, made or planned. */
export interface Effect {
  readonly totals: readonly FileTotals[];
  readonly differences: readonly string[];
  readonly near_names: readonly string[];
  readonly set_aside: readonly string[];
  readonly unread: readonly string[];
  readonly file_conflicts: readonly string[];
  readonly changes: readonly {
    readonly resource: string;
    readonly new: number;
    readonly changed: number;
    readonly gone: number;
  }[];
  readonly conflicts: readonly {
    readonly resource: string;
    readonly record_id: string;
    readonly name: string | null;
    readonly field: string | null;
    readonly here: string | null;
    readonly files: string | null;
  }[];
  readonly questions: readonly Question[];
  readonly notes: readonly string[];
  readonly reports: {
    readonly start_date: string;
    readonly end_date: string;
    readonly changes: readonly Readonly<Record<string, string | number | null>>[];
  } | null;
}

/** The meaning of files, and their changes once they are read wholly. */
export interface Understood extends Partial<Effect> {
  readonly id: number | null;
  readonly files: readonly TakenFile[];
  readonly mapping: string;
  readonly entries: MappingJson;
  readonly open: readonly OpenPoint[];
}

/** A load of the list. */
export interface ListedLoad {
  readonly id: number;
  readonly loaded_at: string;
  readonly loaded_by: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly undone_at: string | null;
  readonly undone_by: string | null;
}

export interface LoadList {
  readonly loads: readonly ListedLoad[];
  readonly running: { readonly step: string; readonly part: number } | null;
}
