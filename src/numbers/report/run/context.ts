import { type Database, formatZonedTime } from '../../../base/database/index.ts';
import type { Books } from '../catalogue/books.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Company, describeLoading } from '../catalogue/company-settings.ts';
import type { ClosingInForce } from '../catalogue/cutoff.ts';
import { describeAsOf } from '../catalogue/measure-digest.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Meta, Tie } from '../catalogue/table.ts';
import { typeParameters } from '../catalogue/typed-parameters.ts';
import type { DataScope, Query } from '../request/query.ts';
import { describeBaseline } from './attach-baseline.ts';
import type { EarlierDays } from './earlier.ts';
import { noteNumbers } from './meta-notes.ts';

/** Where and when a query runs. */
export interface ReportContext {
  readonly database: Database;
  /** The settings and the generation in the database. */
  readonly company: Company;
  readonly now: Date;
  /** The kept states that a comparing report compares the database with, in the order of their days. */
  readonly earlier?: readonly EarlierDays[] | undefined;
  /** The closings in force of the present data, the newest first. Default: none. */
  readonly closings?: readonly ClosingInForce[] | undefined;
  /** The closings by which the data are booked. Default: none. */
  readonly books?: Books | undefined;
  /** The names of what a reader's part is limited to. Default: everything is seen. */
  readonly partNames?: readonly string[];
  /** The most rows of a report that sums, which is held in memory. Default: no limit. */
  readonly maxRows?: number;
}

export interface ReaderContext extends ReportContext, DataScope {
  /** The day in the company's time zone, as YYYY-MM-DD. */
  readonly today: string;
  /** The database with rates, for explanations that leave them out themselves. */
  readonly whole: Database;
}

/**
 * Returns a report's metadata.
 * @param checks The tie-outs of the report's numbers.
 */
export async function metaOf(context: ReportContext, query: Query, checks: readonly Tie[]): Promise<Meta> {
  const { selection, grouping, understood } = query;
  const { cutoff_date: date } = understood;
  return {
    report: selection.report.name,
    parameters: typeParameters(selection.catalogue, understood),
    ...(date !== undefined && { cutoff: { date, reason: selection.cutoffReason } }),
    ...describeData(context, selection.catalogue, grouping.measures),
    ...(selection.report.parameters?.includes('baseline') && {
      baseline: await describeBaseline(context.database, query),
    }),
    notes: await noteNumbers(context, query),
    checks,
    ...(selection.hidden.length > 0 && { hidden_columns: selection.hidden }),
    ...(context.partNames && { part: context.partNames }),
  };
}

export function lineMeta(context: MetaContext, catalogue: Catalogue, lineId: string): Meta {
  const parameters = typeParameters(catalogue, { line_id: lineId });
  return { report: 'lines', parameters, ...describeData(context, catalogue, []), notes: [], checks: [] };
}

type MetaContext = Pick<ReportContext, 'company' | 'now'>;

function describeData({ company, now }: MetaContext, catalogue: Catalogue, measures: readonly Measure[]) {
  return {
    currency: company.currency,
    minor_units: company.minorUnits,
    generated_at: formatZonedTime(now),
    data_version: company.dataVersion,
    ...(company.asOf && { as_of: describeAsOf(company.asOf, catalogue, measures) }),
    ...describeLoading(company),
  };
}
