import type { Amount, Catalogue, Contributions } from '../catalogue/catalogue.ts';
import type { BudgetPart, Measure } from '../catalogue/measure-kinds.ts';
import type { ChosenPart } from '../request/part.ts';
import type { Grouping, NumberQuery, Query, SeenKind, Selection } from '../request/query.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';

/** A kind of measures: the facts that they add up, and how they tell of it. */
export interface Kind<Of> {
  /** Returns the facts besides lines, in the order of their clauses. Default: none. */
  facts?(of: Of): readonly Facts[];
  /** Returns the amounts of lines that it reads. Default: none. */
  amounts?(of: Of): readonly Amount[];
  /** Returns the SQL of the number, over the sums of facts, or over the measures in its formula. */
  amount(of: Of, catalogue: Catalogue): string;
  /** The step of a statement that computes it, after those of its operands. Default: 0. */
  readonly step?: 1 | 2 | 3;
  /** The rows behind a number; absent from a quotient. */
  readonly rows?: FactRows<Of>;
  /** Returns whose the number is as a whole, so that a reader of a part of them can't see it (L2). Default: nobody's. */
  wholes?(of: Of): readonly SeenKind[];
  /** Tests whether it is blank in a company without bills (M6). Default: no. */
  needsBills?(of: Of): boolean;
  /** Tests whether a total leaves out the projects or phases without an earned value. Default: no. */
  isOfEarnedValue?(of: Of): boolean;
  /** Returns the part of budgets and their use that causes its difference between two states. Default: none. */
  budgetPart?(of: Of): BudgetPart;
  /** Describes the derivation: measures in backticks, sets of lines in asterisks. */
  words(of: Of): string;
  /** Says whether rows add up: yes, no, over people, over projects. */
  addsUp(of: Of): string;
  /** Says in a sentence why the rows of a query may not add up to the total; undefined where they do. Default: they do. */
  apart?(of: Of, grouping: Pick<Grouping, 'dimensions'>): string | undefined;
  /** Names the relations and columns that it comes from. */
  source(of: Of, catalogue: Catalogue): string;
  /** Derives the total from rows or from other totals. @param suffix The end of the names of the columns of one period. */
  total(of: Of, query: Pick<Query, 'selection' | 'grouping'>, suffix: string): Total;
  /** Returns the formula of a cell in the row of a project or phase; undefined for a number that isn't made of others. */
  inRow?(of: Of): CellFormula | undefined;
}

/** The facts of a number one by one, as the report `lines` lists them. */
export interface FactRows<Of> {
  /** Returns the clauses WITH of the facts (`whole`), each with its contribution: null where the amount is unknown (R5). */
  parts(plan: SummaryPlan, of: Of, number: NumberQuery): string[];
  /** Their columns, as the report that lists them names the set. */
  readonly columns: Exclude<keyof Contributions, 'parameters' | 'columns'>;
  /** Names one of them. Default: line. */
  item?(of: Of): string;
  /** True if they are made of all lines of the query, of which the lines of a row are too few. */
  readonly isOfAllLines?: true;
  /** Returns the SQL of the sum of none of them. Default: 0. */
  nothing?(of: Of, number: NumberQuery): string;
  /** True if a part of the window has a part of them. */
  readonly isOfDays?: true;
  /** Returns the terms that they add up to. */
  terms(of: Of, measure: Measure, selection: Selection): readonly TermSql[];
}

/** A term of a number, over the rows of `contributions`. */
export interface TermSql {
  readonly sign: '+' | '-';
  readonly label: string;
  readonly condition: string;
  readonly expression: string;
  readonly isMoney?: boolean;
  /** The measure that is the term alone, if there is one. */
  readonly measure?: string | undefined;
  /** The part of that measure that the term is. Default: all of it. */
  readonly part?: ChosenPart;
}

/** Returns a term of all rows. */
export function termOf(sign: TermSql['sign'], label: string, expression: string, measure?: string): TermSql {
  return { sign, label, condition: 'TRUE', expression, measure };
}

/**
 * The derivation of a total.
 * sum: the rows added up. own: the same, but not comparable with another table's total.
 * A ratio of two totals, the difference of two such ratios, or another formula over totals. given: only the report can compute it, since rows overlap.
 */
export type Total = 'sum' | 'own' | 'given' | Ratio | RatioDifference | CellFormula;

/** The names of the columns that a percentage or another ratio divides. */
export interface Ratio {
  readonly part: string;
  readonly whole: string;
}

/** A difference of percentages, which is rounded once: of their exact ratios. */
export interface RatioDifference {
  readonly minuend: Ratio;
  readonly subtrahend: Ratio;
}

/** A formula of a spreadsheet over columns in brackets; `[digits]` stands for the decimals of its own column. */
export interface CellFormula {
  readonly cells: string;
}

/** Returns the formula of a quotient that is rounded, and empty for a divisor of 0. */
export function roundedCells(dividend: string, divisor: string, digits: string): CellFormula {
  return { cells: `IF(${divisor}=0,"",ROUND(${dividend}/${divisor},${digits}))` };
}

/** A measure without what it needs, with the type of sums. */
export const UNKNOWN = 'CAST(NULL AS DECIMAL(38, 4))';

/** Tests whether a line of a row can be in another row, too. */
export function overlaps({ grouping }: Pick<Query, 'grouping'>): boolean {
  return grouping.dimensions.some((dimension) => dimension.overlaps);
}
