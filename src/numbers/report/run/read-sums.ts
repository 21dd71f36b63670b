import { AppError, sortInTurns } from '../../../base/index.ts';
import { isAdditive } from '../catalogue/measure-meaning.ts';
import type { Column, Subtotal } from '../catalogue/table.ts';
import { compileSummary } from '../plan/compile-summary.ts';
import { maySeeInPart } from '../plan/outside.ts';
import { regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import { assertPeriodsFit, offerPeriods, periodColumns, widenRows } from './across.ts';
import type { ReportContext } from './context.ts';
import { tiePeriods } from './period-ties.ts';
import { prepareSums, type Sums, tieTotals } from './prepare-sums.ts';
import { type LevelRow, type LevelRows, readLevels } from './read-levels.ts';
import { partsOf, type SummedValues, sumsSeen, tieSums } from './row-ties.ts';
import { assertTies, type Comparison } from './ties.ts';

/** The groups of rows with the same first keys, in order. */
interface Groups {
  readonly depth: number;
  readonly label: string;
  /** The names of the columns that identify a group. */
  readonly by: readonly string[];
  readonly rows: readonly LevelRow[];
}

/**
 * Reads a report that sums, with columns for its periods across and with its subtotals, if it has any.
 * Rows, subtotals, periods and totals are sums of the lines, compared with each other here.
 */
export async function readSums(context: ReportContext, asked: Query): Promise<Sums> {
  const prepared = prepareSums(context.company, asked);
  const { query } = prepared;
  const levels = await readLevels(context, prepared, (read) => assertPeriodsFit(query, read));
  const periods = periodColumns(query, prepared, levels, context.company);
  const columns = [...prepared.columns, ...periods.columns];
  const sumsOf = async (level: LevelRows) => {
    const rows = await widenRows(level, levels, periods);
    const own = regroup(level.plan.query, { measures: query.grouping.measures });
    const sums = { columns, rows: rows.map(({ values }) => values), totals: [...level.totals, ...periods.totals] };
    const ties = [...(await tieTotals(own, columns, sums.rows, sums.totals)), ...(await tiePeriods(own, sums))];
    return { level, rows, totals: sums.totals, ties };
  };
  const found: Awaited<ReturnType<typeof sumsOf>>[] = [];
  for (const level of levels.filter(({ across }) => !across)) found.push(await sumsOf(level));
  const [whole, ...outer] = found;
  if (!whole) throw new AppError('internal', `The report ${query.selection.report.name} was read without its rows`);
  assertTies(outer.flatMap(({ ties }) => ties));
  const groups = outer.map(({ level, rows }) => describeGroups(level, rows));
  const rows = await sortByGroups(groups, whole.rows);
  const subtotals = await placeSubtotals(groups, rows);
  const sums = { columns, rows: rows.map(({ values }) => values), totals: whole.totals };
  const ties: Comparison[] = [];
  for (const group of groups) ties.push(...(await tieGroups(query, sums, group, subtotals)));
  return {
    ...sums,
    offered: offerPeriods(query.selection, prepared, periods.columns),
    subtotals: query.grouping.hasSubtotals ? subtotals : undefined,
    ties: [...whole.ties, ...ties],
  };
}

function describeGroups({ depth, plan }: LevelRows, rows: readonly LevelRow[]): Groups {
  const { measures, dimensions } = plan.query.grouping;
  const beside = [...plan.facts].flatMap(({ columns = [] }) => columns);
  const isName = ({ name }: Column) => [...beside, ...measures].every((each) => each.name !== name);
  const by = compileSummary(plan)
    .columns.filter(isName)
    .map(({ name }) => name);
  return { depth, label: dimensions.at(-1)?.label ?? '', by, rows };
}

/** Orders rows by the groups of each depth in turn, and as they are within the innermost. */
function sortByGroups(groups: readonly Groups[], rows: readonly LevelRow[]): Promise<readonly LevelRow[]> {
  const orders = groups.map((group) => ({
    depth: group.depth,
    ranks: new Map(group.rows.map((row, rank) => [row.groups[group.depth], rank])),
  }));
  const rankOf = (row: LevelRow, { depth, ranks }: (typeof orders)[number]) => ranks.get(row.groups[depth]) ?? -1;
  return sortInTurns(rows, (a, b) => {
    const order = orders.find(({ depth }) => a.groups[depth] !== b.groups[depth]);
    return order ? rankOf(a, order) - rankOf(b, order) : 0;
  });
}

/** @throws AppError internal if a group has no rows, or rows have no group. */
function placeSubtotals(groups: readonly Groups[], rows: readonly LevelRow[]): Promise<Subtotal[]> {
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
  return sortInTurns(placed, (a, b) => a.first + a.count - (b.first + b.count) || b.level - a.level);
}

/** Compares each subtotal with its rows, unless a line can be in several of them. */
async function tieGroups(
  { selection, grouping: { measures, dimensions } }: Query,
  { columns, rows }: Pick<Sums, 'columns' | 'rows'>,
  { depth, label }: Groups,
  subtotals: readonly Subtotal[],
): Promise<Comparison[]> {
  if (dimensions.slice(depth).some(({ overlaps }) => overlaps)) return [];
  const own = subtotals.filter(({ level }) => level === depth);
  const ties: Comparison[] = [];
  for (const measure of measures.filter(isAdditive)) {
    const places = columns.flatMap(({ name, measure: of = name }, place) => (of === measure.name ? [place] : []));
    const subject = `${measure.label.toLowerCase()} by ${label.toLowerCase()}`;
    const words = { subject, sides: ['sum of the rows', 'each subtotal'] } as const;
    const sums = sumsSeen(maySeeInPart(selection, measure), groupSums(places, own, rows));
    ties.push(await tieSums(words, sums, measure.needs_rates ?? false));
  }
  return ties;
}

function* groupSums(
  places: readonly number[],
  subtotals: readonly Subtotal[],
  rows: Sums['rows'],
): Iterable<SummedValues> {
  for (const place of places)
    for (const { first, count, values } of subtotals)
      yield { parts: partsOf(rows.slice(first, first + count), place), total: values[place] ?? null };
}
