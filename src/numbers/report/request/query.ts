import type { Days } from '../../../base/calendar/index.ts';
import { type FieldError, listNames } from '../../../base/index.ts';
import type { stateParameter } from '../catalogue/as-of-state.ts';
import type { Baseline } from '../catalogue/baseline.ts';
import type { Books } from '../catalogue/books.ts';
import type { Alias, Catalogue, Dimension, Parameter, Report } from '../catalogue/catalogue.ts';
import type { Bills, Contracts } from '../catalogue/company-settings.ts';
import type { CutoffDays } from '../catalogue/cutoff.ts';
import type { EarnedChoice } from '../catalogue/earned-choice.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { throwParameterErrors } from '../catalogue/parameters.ts';
import type { Interval } from '../catalogue/period.ts';
import type { ChosenPart } from './part.ts';

/** A filter that matches any of its values; `none` matches a missing one. */
export interface ReportFilter {
  readonly parameter: Parameter;
  /** The items of the values, or SQL of a list of the values: null without a filter, a null item for `none`. */
  readonly values: readonly string[] | { readonly expression: string };
}

export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** The people and projects that a reader of a part sees whole (L2). Numbers of whole ones are blank for all others. */
export interface SeenPart {
  /** A text that no other part has, for caches. */
  readonly key: string;
  /** none: a part of projects has a part of the hours of the people who work on them. some: but for the reader, who sees the own. */
  readonly people: 'all' | 'some' | 'none';
  /** some: a part of people has all lines of those projects on which nobody else works. */
  readonly projects: 'all' | 'some';
  /** The same of what contracts decide: a part of people has it of projects without an agreed fee, too. */
  readonly contracts: 'all' | 'some';
}

/** Whose number one may be as a whole. */
export type SeenKind = keyof Omit<SeenPart, 'key'>;

/** The data that a query reads: what its reader sees of them, and the state whose plan is compared. */
export interface DataScope {
  /** False for readers without the scope rates: no statement names a column that reveals a cost. */
  readonly seesRates: boolean;
  /** Default: all. */
  readonly part?: SeenPart | undefined;
  /** Default: the plan of the lines. */
  readonly baseline?: Baseline | undefined;
  /** The contracts that the data are known to have. Default: all. */
  readonly contracts?: Contracts | undefined;
  /** The bills that the data are known to have. Default: covers. */
  readonly bills?: Bills | undefined;
}

/** Which lines a report is about: whose definitions, which window, which filters. */
export interface Selection extends DataScope {
  /** The definitions that the reader may see. */
  readonly catalogue: Catalogue;
  readonly report: Report;
  /** The report's columns that such a reader doesn't see. */
  readonly hidden: readonly string[];
  readonly startDate: string;
  readonly endDate: string;
  readonly cutoffDate: string;
  readonly cutoffReason: string;
  /** Today in the account's time zone. */
  readonly today: string;
  /** The parameter by which links to the lines name the kept state that they are of. */
  readonly ofState: ReturnType<typeof stateParameter>;
  readonly statuses: readonly string[];
  /** The kinds of the lines that are listed. Default: those whose lines a table stores. */
  readonly kinds: readonly string[] | undefined;
  /** The amount that earned value is counted in, and the way it judges progress. */
  readonly earned: EarnedChoice;
  readonly filters: readonly ReportFilter[];
  /** The closings by which the reported state is booked. Default: none. */
  readonly books: Books | undefined;
  /** The span of projects that a statement lists; undefined for all. */
  readonly projects: KeySpan | undefined;
}

/** Grouping of the numbers in rows and columns; a report that lists has neither. */
export interface Grouping {
  readonly dimensions: readonly Dimension[];
  readonly interval: Interval | undefined;
  /** The periods that have columns instead of rows. */
  readonly across: readonly Dimension[];
  /** The dimensions of the rows that a subtotal sums, which decide whose capacity and which budgets count; undefined for its own. */
  readonly rowDimensions: readonly Dimension[] | undefined;
  readonly measures: readonly Measure[];
  /** True to add the sum of each group of rows with the same first dimensions. */
  readonly hasSubtotals: boolean;
  /** True if entities without lines have rows. */
  readonly includesEmpty: boolean;
  /** True if every period of the window is a row, with lines or without. */
  readonly hasAllPeriods: boolean;
}

/** Which of the columns and rows are shown, in which order, and what is added to them. */
export interface Presentation {
  readonly fields: readonly string[] | undefined;
  readonly sort: readonly Order[] | undefined;
  readonly page: number;
  readonly perPage: number | undefined;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
  /** True to add to each row the query that lists the lines behind it. */
  readonly hasLinks: boolean;
  /** True to add what is to be said about each row. */
  readonly hasInsights: boolean;
  /** True to add the causes of all findings. */
  readonly hasCauses: boolean;
  /** True for a statement for clients: without columns that are internal. */
  readonly isStatement: boolean;
  /** True to add the rows of the nested report. */
  readonly isExpanded: boolean;
  /** The additional names of columns in JSON. */
  readonly aliases: readonly Alias[];
}

/** A request for a report as understood: validated, with all defaults filled in. */
export interface Query {
  readonly selection: Selection;
  readonly grouping: Grouping;
  readonly presentation: Presentation;
  /** The query of the one measure whose lines are listed; undefined to list all lines. */
  readonly number: NumberQuery | undefined;
  /** Undefined for reports of one state. */
  readonly compared: Comparing | undefined;
  /** The parameters as understood, by their public names. */
  readonly understood: Readonly<Record<string, string>>;
}

/** The part of a query that only a comparison of two states has. */
export interface Comparing {
  /** Only lines that contribute by one of these causes; undefined for all. */
  readonly causes: readonly string[] | undefined;
  /** True to leave out rows without a difference; undefined if the request doesn't say. */
  readonly isOnlyChanged: boolean | undefined;
}

export interface KeySpan {
  readonly first: string;
  readonly last: string;
}

/** A request for one measure of one row, of which the filters are the keys. */
export interface NumberQuery extends Query {
  /** The days of the row: the window, or a period of it. */
  readonly row: Days;
  /** The keys of the row, which choose cells of an effect, and no rates; they are filters of the selection for any other measure. */
  readonly rowFilters: readonly ReportFilter[];
  /** The parts of the number that its lines are in; none for the whole number. */
  readonly parts: readonly ChosenPart[];
}

export interface QueryOptions extends CutoffDays, Partial<DataScope> {
  /** The closings by which the state is booked. Default: none. */
  readonly books?: Books | undefined;
  /** True to add the JSON aliases to the rows. Default: false. */
  readonly hasAliases?: boolean;
}

/** Returns the number of dimensions of the innermost groups of rows: all, if their rows are periods. */
export function lastDepth({ dimensions, interval }: Pick<Grouping, 'dimensions' | 'interval'>): number {
  return interval ? dimensions.length : dimensions.length - 1;
}

/**
 * Checks that the requested columns exist.
 * @throws AppError usage for unknown columns.
 */
export function checkColumns({ selection, presentation }: Query, names: readonly string[], sortable = names): void {
  const errors: FieldError[] = [];
  const check = (field: string, wanted: readonly string[], known: readonly string[]) => {
    for (const name of wanted) {
      if (!known.includes(name)) {
        errors.push({ field, message: `${field} names "${name}"; the columns are ${listNames(name, known)}` });
      }
    }
  };
  check('fields', presentation.fields ?? [], names);
  check(
    'sort',
    (presentation.sort ?? []).map(({ column }) => column),
    sortable,
  );
  throwParameterErrors(selection.report, errors);
}
