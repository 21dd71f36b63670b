import { createHash } from 'node:crypto';
import { type Catalogue, findReport, measuresOf } from '../catalogue/catalogue.ts';
import { conditionOf, type LineSum } from '../catalogue/line-set.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { parametersOf } from '../catalogue/parameters.ts';
import type { Meta, Unit } from '../catalogue/table.ts';
import type { SummaryDefinition } from '../layout/block-definition.ts';
import type { BookPage } from '../layout/workbook-definition.ts';
import { dimensionsOf } from '../request/change-query.ts';
import type { Query, Selection } from '../request/query.ts';
import type { SheetPlace } from './book-sheet.ts';
import type { BridgeFacts } from './bridge-facts.ts';
import type { WindowTotals } from './comparisons.ts';
import type { Cause } from './estimated-causes.ts';
import type { FigureFacts } from './figure-facts.ts';
import type { ListPart } from './list-blocks.ts';

/** Parameters that a workbook refuses: it has all rows and the whole ledger of them. */
export const REFUSED = ['page', 'per-page', 'cursor', 'limit', 'measure', 'links', 'insights', 'causes'];

export interface CoverParameter {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly value: string;
  readonly meaning: string;
}

/** The facts that a summary tells beside the totals of its report. */
export interface CoverFacts {
  /** The totals of the prior period and of last year. */
  readonly comparisons: readonly WindowTotals[];
  readonly figures: FigureFacts;
  /** Where the plan ends, if a forecast goes beyond it. */
  readonly horizon: readonly string[];
  /** The causes of findings, gravest first. */
  readonly causes: readonly Cause[];
  /** The lists of Summary that have rows, by name. */
  readonly lists: Readonly<Record<string, readonly ListPart[]>>;
  /** The ways from one state to the other, by measure; none for reports of one state. */
  readonly changes: readonly BridgeFacts[];
  /** The way from the plan to date to the actual amount, if it is shown. */
  readonly effects: BridgeFacts | undefined;
}

/** The contents of a workbook beside its tables. */
export interface Cover extends CoverFacts {
  readonly label: string;
  readonly company: string | null;
  /** The words of the readers of an earlier workbook. */
  readonly commentary: string | undefined;
  readonly meta: Meta;
  readonly parameters: readonly CoverParameter[];
  /** The places of the pages that are made of the other sheets. */
  readonly pages: Readonly<Record<BookPage, SheetPlace>>;
  /** The order of Summary, and which measures its lists tell. */
  readonly summary: Pick<SummaryDefinition, 'first' | 'last' | 'told'>;
  /** Names of the key measures, most important first. */
  readonly headline: readonly string[];
  /** Totals that the Data sheet can reproduce. */
  readonly lineSums: readonly LineSum[];
  /** SHA-256 of the report's definition and the catalogue entries that it uses, in hexadecimal. */
  readonly definitionHash: string;
}

/** Returns the report's parameters, set or not, and those that apply to other sheets alone. */
export function coverParametersOf(
  { catalogue, report }: Selection,
  values: Readonly<Record<string, string>>,
): CoverParameter[] {
  const accepted = new Set(parametersOf(catalogue, report).map(({ name }) => name));
  return [...catalogue.parameters.values()]
    .filter(({ name }) => !REFUSED.includes(name) && (values[name] !== undefined || accepted.has(name)))
    .map(({ name, label, type, description }) => ({
      name,
      label,
      unit: type === 'date' ? 'date' : 'text',
      value: values[name] ?? '',
      meaning: description,
    }));
}

/** Returns the hash of a report's definition and of the catalogue entries that it uses. */
export function hashDefinition(definitions: Catalogue, { selection, grouping }: Query): string {
  const report = findReport(definitions, selection.report.name);
  const nested = definitions.reports.get(report.nested ?? '');
  const reports = [report, ...(nested ? [nested] : [])];
  const measures: Measure[] = [...new Set(reports.flatMap((each) => measuresOf(definitions, each)))];
  const dimensions = [...grouping.dimensions, ...(nested ? dimensionsOf(definitions, nested) : [])];
  const lines = [...definitions.lines].map(([set, definition]) => [set, conditionOf(definition)]);
  const used = { reports, measures, dimensions, lines };
  return createHash('sha256').update(JSON.stringify(used)).digest('hex');
}
