import type { Value } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { compileSummary } from '../plan/compile-summary.ts';
import { compileLevels, type Level, planLevels } from '../plan/levels.ts';
import { linkColumns, linkWriter } from '../plan/links.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import type { ReportContext } from './context.ts';
import { assertFewRows, hasManyPeriods, type PreparedSums, tooManyRows } from './prepare-sums.ts';

/** The rows of a level, with the columns of the report: null in those that the level lacks. */
export interface LevelRows extends Level {
  readonly rows: LevelRow[];
  /** Empty for periods across. */
  totals: Value[];
}

export interface LevelRow {
  readonly values: Value[];
  /** The number of its group at each depth. Rows of all levels with the same first keys have the same number. */
  readonly groups: readonly number[];
  /** The first day of its period; null for rows that are whole. */
  readonly period: string | null;
}

/**
 * Reads all levels of a query by one statement, in the order of `planLevels`.
 * @param check Called after each chunk of rows.
 */
export async function readLevels(
  context: ReportContext,
  { query, plan, statement }: PreparedSums,
  check: (levels: readonly LevelRows[]) => void,
): Promise<LevelRows[]> {
  const { database, maxRows = Number.POSITIVE_INFINITY } = context;
  const planned = planLevels(query, plan);
  for (const { plan } of planned)
    if (hasManyPeriods(context, plan.query)) await assertFewRows(context, plan.query, compileSummary(plan).countSql);
  const { sql, depths } = compileLevels(query, { plan, statement }, planned);
  const levels = planned.map((level): LevelRows => ({ ...level, rows: [], totals: [] }));
  const writers = planned.map((level) => levelLinkWriter(level, statement.links));
  const { chunks } = await database.stream(sql);
  for await (const chunk of chunks) {
    for (const [isTotal, index, period, ...values] of chunk) {
      const numbers = values.splice(0, depths.length);
      const links = values.splice(statement.columns.length);
      const link = writers[Number(index)]?.(isTotal ? undefined : links);
      if (link !== undefined) values.push(link);
      const level = levels[Number(index)];
      if (isTotal && level) level.totals = values;
      if (isTotal) continue;
      const groups: number[] = [];
      for (const [place, depth] of depths.entries()) groups[depth] = Number(numbers[place]);
      level?.rows.push({ values, groups, period: period === null ? null : String(period) });
    }
    const large = levels.find(({ rows }) => rows.length > maxRows);
    if (large) throw tooManyRows(large.plan.query, maxRows);
    check(levels);
  }
  const bare = levels.find(({ across, totals }) => !across && totals.length === 0);
  if (bare) throw new AppError('internal', `The report ${query.selection.report.name} was read without its totals`);
  return levels;
}

/** Returns a function that writes the link of a level's row, of the link columns of all levels. */
function levelLinkWriter({ plan }: Level, all: readonly SqlColumn[]) {
  if (!plan.query.presentation.hasLinks) return undefined;
  const own = linkColumns(plan);
  const places = own.map(({ name }) => all.findIndex((column) => column.name === name));
  const write = linkWriter(plan.query, own);
  return (values?: readonly Value[]) => write(values && places.map((place) => values[place] ?? null));
}
