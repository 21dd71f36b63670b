import type { Database } from '../database/database.ts';
import type { Alias } from './catalogue.ts';
import type { Company } from './company-settings.ts';
import type { Query } from './parameters.ts';
import type { Meta, Tie } from './table.ts';

export interface ReportContext {
  readonly database: Database;
  readonly query: Query;
  readonly company: Company;
  readonly now: Date;
  readonly hidden: readonly string[];
  readonly maxRows: number;
  readonly aliases: readonly Alias[];
}

/**
 * Returns a report's metadata.
 * @param checks The tie-outs of the report's numbers.
 */
export function metaOf({ query, company, now, hidden }: ReportContext, checks: readonly Tie[]): Meta {
  const overlapping = query.dimensions.filter(({ overlaps }) => overlaps).map(({ label }) => label.toLowerCase());
  return {
    report: query.report.name,
    parameters: query.understood,
    currency: company.currency,
    minor_units: company.minorUnits,
    generated_at: `${now.toISOString().slice(0, 19)}Z`,
    data_version: company.dataVersion,
    loaded_at: company.loadedAt,
    notes: overlapping.map(
      (label) => `Rows by ${label} overlap: a line may stand in several of them. The totals count it once.`,
    ),
    checks,
    ...(hidden.length > 0 && { hidden_columns: hidden }),
  };
}

/** Returns rows in memory in the form that tables need. */
export async function* inChunks<Chunk>(chunks: readonly Chunk[]): AsyncIterable<Chunk> {
  yield* chunks;
}
