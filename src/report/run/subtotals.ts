import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { Subtotal } from '../catalogue/table.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import { type Grouping, lastDepth, type Query } from '../request/query.ts';
import { isKey, keyReader, readAcross } from './across.ts';
import type { ReportContext } from './context.ts';
import type { Sums } from './read-sums.ts';
import { tieSums } from './row-ties.ts';
import { assertTies, type Comparison } from './ties.ts';

/** Rows in the order of their groups, with the subtotals of the groups. */
export interface GroupedSums extends Sums {
  /** In the order in which they follow rows: inner groups end first. */
  readonly subtotals: readonly Subtotal[];
}

/** The sums by the first dimensions of a query. */
interface SubtotalLevel {
  readonly depth: number;
  readonly label: string;
  /** The names of the columns that identify a group. */
  readonly by: readonly string[];
  /** The values of each group in the columns of the rows, by key; the keys are in the order of the groups. */
  readonly groups: ReadonlyMap<string, readonly Value[]>;
  readonly keyOf: (row: readonly Value[]) => string;
}

/**
 * Adds the subtotals of a report that sums: of each group of rows with the same first dimensions.
 * Subtotals are sums of the lines like totals, compared with their rows here. They count the capacity of the same people as the rows.
 */
export async function addSubtotals(context: ReportContext, query: Query, whole: Sums): Promise<GroupedSums> {
  const levels: SubtotalLevel[] = [];
  for (let depth = 1; depth <= lastDepth(query.grouping); depth += 1)
    levels.push(await readLevel(context, query, whole, depth));
  const rows = groupRows(levels, whole.rows);
  const subtotals = placeSubtotals(levels, rows);
  const ties = levels.flatMap((level) => tieLevel(query.grouping, whole, level, rows, subtotals));
  return { ...whole, rows, subtotals, ties: [...whole.ties, ...ties] };
}

async function readLevel(
  context: ReportContext,
  query: Query,
  { columns }: Sums,
  depth: number,
): Promise<SubtotalLevel> {
  const { catalogue } = query.selection;
  const { dimensions: all, crewDimensions = all } = query.grouping;
  const { fields, sort, hasLinks } = query.presentation;
  const dimensions = all.slice(0, depth);
  const isMeasure = (name: string) => catalogue.measures.has(name);
  const isShown = (name: string) => isMeasure(name) || dimensions.some(({ shown }) => shown.includes(name));
  const presentation = {
    ...PLAIN,
    fields: fields?.filter(isMeasure),
    sort: sort?.filter(({ column }) => isShown(column)),
    hasLinks,
  };
  const groups = { dimensions, crewDimensions, interval: undefined };
  const sums = await readAcross(context, regroup(query, groups, presentation));
  assertTies(sums.ties);
  const keys = sums.columns.filter(({ name, measure }) => measure === undefined && isKey(query.selection, name));
  const places = columns.map(({ name }) => sums.columns.findIndex((column) => column.name === name));
  const ownKey = keyReader(sums.columns, keys);
  return {
    depth,
    label: dimensions.at(-1)?.label ?? '',
    by: keys.map(({ name }) => name),
    groups: new Map(sums.rows.map((row) => [ownKey(row), places.map((place) => row[place] ?? null)])),
    keyOf: keyReader(columns, keys),
  };
}

/** Orders rows by the groups of each level in turn, and as they are within the innermost. */
function groupRows(levels: readonly SubtotalLevel[], rows: Sums['rows']): Sums['rows'] {
  const ranks = levels.map(({ groups }) => new Map([...groups.keys()].map((key, rank) => [key, rank])));
  const ranked = rows.map((row) => ({
    row,
    ranks: levels.map(({ keyOf }, index) => ranks[index]?.get(keyOf(row)) ?? -1),
  }));
  ranked.sort((a, b) => {
    const level = a.ranks.findIndex((rank, index) => rank !== b.ranks[index]);
    return level < 0 ? 0 : (a.ranks[level] ?? 0) - (b.ranks[level] ?? 0);
  });
  return ranked.map(({ row }) => row);
}

/** @throws AppError internal if a group has no rows, or rows have no group. */
function placeSubtotals(levels: readonly SubtotalLevel[], rows: Sums['rows']): Subtotal[] {
  const placed = levels.flatMap(({ depth, by, groups, keyOf }) => {
    const found: Subtotal[] = [];
    let [first, open] = [0, rows[0] && keyOf(rows[0])];
    for (let end = 1; end <= rows.length; end += 1) {
      const row = rows[end];
      const key = row && keyOf(row);
      if (key === open) continue;
      const values = groups.get(open ?? '');
      if (!values) throw new AppError('internal', `Rows have no subtotal at level ${depth}: ${open}`);
      found.push({ level: depth, by, first, count: end - first, values });
      [first, open] = [end, key];
    }
    if (found.length !== groups.size)
      throw new AppError('internal', `${groups.size} subtotals at level ${depth} for ${found.length} groups of rows`);
    return found;
  });
  return placed.sort((a, b) => a.first + a.count - (b.first + b.count) || b.level - a.level);
}

/** Compares each subtotal with its rows, unless a line can be in several of them. */
function tieLevel(
  { measures, dimensions }: Grouping,
  { columns }: Sums,
  { depth, label }: SubtotalLevel,
  rows: Sums['rows'],
  subtotals: readonly Subtotal[],
): Comparison[] {
  if (dimensions.slice(depth).some(({ overlaps }) => overlaps)) return [];
  const own = subtotals.filter(({ level }) => level === depth);
  return measures
    .filter(({ sum, effect }) => sum || effect)
    .map((measure) => {
      const places = columns.flatMap(({ name, measure: of = name }, place) => (of === measure.name ? [place] : []));
      const sums = places.flatMap((place) =>
        own.map(({ first, count, values }) => ({
          parts: rows.slice(first, first + count).map((row) => row[place] ?? null),
          total: values[place] ?? null,
        })),
      );
      const check = `${measure.label.toLowerCase()} by ${label.toLowerCase()}: sum of the rows, each subtotal`;
      return tieSums(check, sums, measure.needs_rates ?? false);
    });
}
