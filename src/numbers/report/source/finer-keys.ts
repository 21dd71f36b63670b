import type { Dimension } from '../catalogue/catalogue.ts';
import type { Query } from '../request/query.ts';
import { columnOfFilter } from './filter.ts';

/*
 * Numbers that projects and phases have, and no single line: what closings keep, and balances of retainers.
 */

/** The columns of a line that find its project and phase. */
const OF_PLACES = ['project_id', 'phase_id'];

/** The key of rows by phase, on a line. */
export const PHASE = 'ledger.phase_id';

/** Returns the first key or filter of a query that is finer than projects and phases, in words; undefined where there is none. */
export function nameFiner(query: Query): string | undefined {
  const { filters, report } = query.selection;
  const finer = dimensionsOf(query).filter(({ line, period }) => !period && !isOfPlaces(line ?? ''));
  const filtered = filters.filter((filter) => !OF_PLACES.includes(columnOfFilter(filter, report)));
  const [name] = [...finer.map(({ label }) => label.toLowerCase()), ...filtered.map(({ parameter }) => parameter.name)];
  return name?.replaceAll('_', ' ');
}

/** Tests whether the rows, subtotals or columns of a query are by phase. */
export function isByPhase(query: Query): boolean {
  return dimensionsOf(query).some(({ line }) => line === PHASE);
}

/** Tests whether a query tells phases apart, by its rows or by a filter. */
export function readsPhases(query: Query): boolean {
  const { filters, report } = query.selection;
  return isByPhase(query) || filters.some((filter) => columnOfFilter(filter, report) === 'phase_id');
}

/** Tests whether the key of a row is one of a project or phase. */
function isOfPlaces(line: string): boolean {
  const [relation = '', column = ''] = line.split('.');
  return relation === 'ledger' ? OF_PLACES.includes(column) : relation === 'project' || relation === 'project_tags';
}

/** Returns what rows, subtotals and columns of a query are by: all of its levels have a number, or none. */
function dimensionsOf({ grouping: { dimensions, across, rowDimensions = [] } }: Query): Dimension[] {
  return [...new Set([...dimensions, ...across, ...rowDimensions])];
}
