import { AppError } from '../../error.ts';
import { isAdditive } from '../catalogue/measure-meaning.ts';
import type { Column, Subtotal } from '../catalogue/table.ts';
import { compileSummary } from '../plan/compile-summary.ts';
import type { Grouping, Query } from '../request/query.ts';
import { assertPeriodsFit, offerPeriods, periodColumns, widenRows } from './across.ts';
import type { ReportContext } from './context.ts';
import { tiePeriods } from './period-ties.ts';
import { type LevelRow, type LevelRows, readLevels } from './read-levels.ts';
import { prepareSums, type Sums, tieTotals } from './read-sums.ts';
import { tieSums } from './row-ties.ts';
import { assertTies, type Comparison } from './ties.ts';

/** Rows in the order of their groups, with the subtotals of the groups. */
export interface GroupedSums extends Sums {
  /** In the order in which they follow rows: inner groups end first. */
  readonly subtotals: readonly Subtotal[] | undefined;
}

/** The groups of rows with the same first keys, in order. */
interface Groups {
  readonly depth: number;
  readonly label: string;
  /** The names of the columns that identify a group. */
  readonly by: readonly string[];
  readonly rows: readonly LevelRow[];
}

/**
 * Reads a report that sums, with columns for its periods across and with its subtotals.
 * Rows, subtotals, periods and totals are sums of the lines, compared with each other here.
 */
export async function readGroups(context: ReportContext, query: Query): Promise<GroupedSums> {
  const prepared = prepareSums(context, query);
  const levels = await readLevels(context, query, prepared, (read) => assertPeriodsFit(query, read));
  const periods = periodColumns(query, prepared, levels, context.company);
  const columns = [...prepared.columns, ...periods.columns];
  const sumsOf = (level: LevelRows) => {
    const { grouping } = level.plan.query;
    const rows = widenRows(level, levels, periods);
    const sums = { columns, rows: rows.map(({ values }) => values), totals: [...level.totals, ...periods.totals] };
    const ties = [...tieTotals(grouping, columns, sums.rows, sums.totals), ...tiePeriods(grouping, sums)];
    return { level, rows, totals: sums.totals, ties };
  };
  const [whole, ...outer] = levels.filter(({ across }) => !across).map(sumsOf);
  if (!whole) throw new AppError('internal', `The report ${query.selection.report.name} was read without its rows`);
  assertTies(outer.flatMap(({ ties }) => ties));
  const groups = outer.map(({ level, rows }) => describeGroups(level, rows));
  const rows = sortByGroups(groups, whole.rows);
  const subtotals = placeSubtotals(groups, rows);
  const sums = { columns, rows: rows.map(({ values }) => values), totals: whole.totals };
  return {
    ...sums,
    offered: offerPeriods(query.selection, prepared, periods.columns),
    subtotals: query.grouping.hasSubtotals ? subtotals : undefined,
    ties: [...whole.ties, ...groups.flatMap((group) => tieGroups(query.grouping, sums, group, subtotals))],
  };
}

function describeGroups({ depth, plan }: LevelRows, rows: readonly LevelRow[]): Groups {
  const { measures, dimensions } = plan.query.grouping;
  const isName = ({ name }: Column) => name !== 'budget_unit' && measures.every((measure) => measure.name !== name);
  const by = compileSummary(plan)
    .columns.filter(isName)
    .map(({ name }) => name);
  return { depth, label: dimensions.at(-1)?.label ?? '', by, rows };
}

/** Orders rows by the groups of each depth in turn, and as they are within the innermost. */
function sortByGroups(groups: readonly Groups[], rows: readonly LevelRow[]): readonly LevelRow[] {
  const orders = groups.map((group) => ({
    depth: group.depth,
    ranks: new Map(group.rows.map((row, rank) => [row.groups[group.depth], rank])),
  }));
  const rankOf = (row: LevelRow, { depth, ranks }: (typeof orders)[number]) => ranks.get(row.groups[depth]) ?? -1;
  return [...rows].sort((a, b) => {
    const order = orders.find(({ depth }) => a.groups[depth] !== b.groups[depth]);
    return order ? rankOf(a, order) - rankOf(b, order) : 0;
  });
}

/** @throws AppError internal if a group has no rows, or rows have no group. */
function placeSubtotals(groups: readonly Groups[], rows: readonly LevelRow[]): Subtotal[] {
  const placed = groups.flatMap(({ depth, by, rows: own }) => {
    const found: Subtotal[] = [];
    const valuesOf = new Map(own.map((row) => [row.groups[depth], row.values]));
    let first = 0;
    for (let end = 1; end <= rows.length; end += 1) {
      const group = rows[first]?.groups[depth];
      if (rows[end]?.groups[depth] === group) continue;
      const values = valuesOf.get(group);
      if (!values) throw new AppError('internal', `Rows have no subtotal at level ${depth}: ${group}`);
      found.push({ level: depth, by, first, count: end - first, values });
      first = end;
    }
    if (found.length !== own.length)
      throw new AppError('internal', `${own.length} subtotals at level ${depth} for ${found.length} groups of rows`);
    return found;
  });
  return placed.sort((a, b) => a.first + a.count - (b.first + b.count) || b.level - a.level);
}

/** Compares each subtotal with its rows, unless a line can be in several of them. */
function tieGroups(
  { measures, dimensions }: Grouping,
  { columns, rows }: Pick<Sums, 'columns' | 'rows'>,
  { depth, label }: Groups,
  subtotals: readonly Subtotal[],
): Comparison[] {
  if (dimensions.slice(depth).some(({ overlaps }) => overlaps)) return [];
  const own = subtotals.filter(({ level }) => level === depth);
  return measures.filter(isAdditive).map((measure) => {
    const places = columns.flatMap(({ name, measure: of = name }, place) => (of === measure.name ? [place] : []));
    const sums = places.flatMap((place) =>
      own.map(({ first, count, values }) => ({
        parts: rows.slice(first, first + count).map((row) => row[place] ?? null),
        total: values[place] ?? null,
      })),
    );
    const subject = `${measure.label.toLowerCase()} by ${label.toLowerCase()}`;
    return tieSums({ subject, sides: ['sum of the rows', 'each subtotal'] }, sums, measure.needs_rates ?? false);
  });
}
