import { type Database, formatZonedTime } from '../../database/database.ts';
import { type Company, describeLoading } from '../catalogue/company-settings.ts';
import type { Meta, Tie } from '../catalogue/table.ts';
import { typeParameters } from '../catalogue/typed-parameters.ts';
import type { Query } from '../request/query.ts';

/** Where and when a query runs. */
export interface ReportContext {
  readonly database: Database;
  /** The settings and the generation in the database. */
  readonly company: Company;
  readonly now: Date;
  /** The most rows of a report that sums, which is held in memory. Default: no limit. */
  readonly maxRows?: number;
}

/** A generation opened for one reader. */
export interface ReaderContext extends ReportContext {
  /** False for readers without the scope rates. */
  readonly seesRates: boolean;
  /** The day in the company's time zone, as YYYY-MM-DD. */
  readonly today: string;
  /** The database with rates, for explanations that leave them out themselves. */
  readonly whole: Database;
}

/**
 * Returns a report's metadata.
 * @param checks The tie-outs of the report's numbers.
 */
export function metaOf(
  { company, now }: Pick<ReportContext, 'company' | 'now'>,
  query: Pick<Query, 'catalogue' | 'report' | 'understood' | 'dimensions' | 'hidden'> &
    Partial<Pick<Query, 'cutoffReason'>>,
  checks: readonly Tie[],
): Meta {
  const overlapping = query.dimensions.filter(({ overlaps }) => overlaps).map(({ label }) => label.toLowerCase());
  const { cutoffReason: reason } = query;
  const { cutoff_date: date } = query.understood;
  return {
    report: query.report.name,
    parameters: typeParameters(query.catalogue, query.understood),
    ...(date !== undefined && reason && { cutoff: { date, reason } }),
    currency: company.currency,
    minor_units: company.minorUnits,
    generated_at: formatZonedTime(now),
    data_version: company.dataVersion,
    ...describeLoading(company),
    notes: overlapping.map(
      (label) => `Rows by ${label} overlap: a line may stand in several of them. The totals count it once.`,
    ),
    checks,
    ...(query.hidden.length > 0 && { hidden_columns: query.hidden }),
  };
}

/** Returns rows in memory in the form that tables need. */
export async function* inChunks<Chunk>(chunks: readonly Chunk[]): AsyncIterable<Chunk> {
  yield* chunks;
}
