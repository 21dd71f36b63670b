import { findReport } from '../catalogue/catalogue.ts';
import { countedIn, isEarned } from '../catalogue/earned.ts';
import { queryOther, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';

/** Notes of the sheet on what the indexes don't say. */
const WHEN_INDEXES_LIE =
  'Earned value: SPI returns to 1 at the end of a late project, when all is done, so late in a project it says little.';
const CPI_BY_CONSTRUCTION =
  'Earned value: in hours with technique remaining, CPI is BAC / EAC by plan by construction. It repeats what the plan says is left, and measures no efficiency.';

/** Returns the query of earned value by project, or by phase if the rows of a report name phases; undefined if it shows none. */
export function queryEarned(query: Query): Query | undefined {
  const { selection, grouping } = query;
  const { catalogue, earned, report } = selection;
  if (report.relation !== undefined || !grouping.measures.some(isEarned)) return undefined;
  const name = grouping.dimensions.some((dimension) => dimension.name === 'phase') ? 'phases' : 'projects';
  const active = report.active === undefined ? {} : { active: report.active };
  const other = queryOther(query, { ...findReport(catalogue, name), label: 'Earned value', ...active });
  const measures = [...catalogue.measures.values()].filter(isEarned).map((measure) => countedIn(measure, earned));
  return regroup(other, { measures, includesEmpty: grouping.includesEmpty });
}

/** Returns the notes about the indexes of a query of earned value. */
export function notesOnIndexes({ selection: { earned } }: Query): string[] {
  const isByConstruction = earned.earnedIn === 'hours' && earned.technique === 'remaining';
  return [WHEN_INDEXES_LIE, ...(isByConstruction ? [CPI_BY_CONSTRUCTION] : [])];
}
