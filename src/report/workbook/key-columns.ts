import { findReport } from '../catalogue/catalogue.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { PIVOT } from './workbook-reports.ts';

/** Returns the columns that a sheet shows at first, the others being in collapsed groups; undefined for all. */
export function keyColumns(query: Query, columns: readonly Column[]): readonly string[] | undefined {
  const { selection, understood } = query;
  const { rows, relation, table } = selection.report;
  if (understood['bridge'] !== undefined) return undefined;
  if (rows || relation || !table) return table;
  // A pivot that names its measures shows all of them.
  if (understood['measures'] !== undefined) return undefined;
  const isMeasure = (name: string) => selection.catalogue.measures.has(name);
  return columns.flatMap(({ name, measure = name }) => (isMeasure(measure) && !table.includes(measure) ? [] : [name]));
}

/** Returns the measures that tell most about a query, most important first. */
export function keyMeasures({ selection: { catalogue, report }, grouping, understood }: Query): readonly string[] {
  const hasNamed = !report.rows && !report.relation && understood['measures'] !== undefined;
  if (hasNamed || understood['bridge'] !== undefined) {
    return grouping.measures.map(({ name }) => name);
  }
  const table = report.relation ? findReport(catalogue, PIVOT).table : report.table;
  return table ?? grouping.measures.map(({ name }) => name);
}
