import type { Value } from '../../../base/database/index.ts';
import { AppError, mapInTurns } from '../../../base/index.ts';
import type { Dimension } from '../catalogue/catalogue.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { operandsOf } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { measuresAcross } from '../plan/levels.ts';
import { periodColumn, sortPeriods } from '../plan/period-columns.ts';
import type { Query, Selection } from '../request/query.ts';
import type { PreparedSums, Sums } from './prepare-sums.ts';
import type { LevelRow, LevelRows } from './read-levels.ts';

/** The most columns of periods in a pivot. Unit: columns. */
const MAX_PERIOD_COLUMNS = 1_000;

/** The most values in those columns, which are all in memory, zeros too. Unit: values. */
const MAX_PERIOD_CELLS = 2_000_000;

/** The value of a sum over no lines. */
const ZERO = '0.0000';

/** The columns of periods that follow those of the rows, and where the rows of periods have their values. */
export interface PeriodColumns {
  readonly columns: readonly Column[];
  readonly totals: readonly Value[];
  /** The values of a row without lines. */
  readonly zeros: readonly Value[];
  /** The place of a period's first column, by its length and its first day. */
  readonly first: ReadonlyMap<Dimension, ReadonlyMap<string | null, number>>;
  /** The places of the measures in a row of a level. */
  readonly measures: readonly number[];
}

/** Makes the columns of all periods of the window, in their order, from the levels that have no other keys. */
export function periodColumns(
  query: Query,
  { columns }: PreparedSums,
  levels: readonly LevelRows[],
  { fiscalYearStartsIn }: Company,
): PeriodColumns {
  const measures = measuresAcross(query);
  const spans = levels.flatMap(({ depth, across, rows }) =>
    depth === 0 && across
      ? rows.map((row) => ({ across, row, period: across.period ?? 'day', start: row.period ?? '' }))
      : [],
  );
  const sorted = sortPeriods(spans);
  const places = measures.map((measure) => columns.findIndex(({ name }) => name === measure.name));
  const first = new Map(query.grouping.across.map((dimension) => [dimension, new Map<string | null, number>()]));
  for (const [index, { across, start }] of sorted.entries())
    first.get(across)?.set(start, columns.length + index * measures.length);
  return {
    columns: sorted.flatMap((span) => measures.map((measure) => periodColumn(measure, span, fiscalYearStartsIn))),
    totals: sorted.flatMap(({ row }) => places.map((place) => row.values[place] ?? null)),
    zeros: sorted.flatMap(() => measures.map((measure) => (operandsOf(measure).length > 0 ? null : ZERO))),
    first,
    measures: places,
  };
}

/** Returns the rows of a depth with the values of their periods. */
export async function widenRows(
  { depth, rows }: LevelRows,
  levels: readonly LevelRows[],
  { zeros, first, measures }: PeriodColumns,
): Promise<LevelRow[]> {
  if (zeros.length === 0) return rows;
  const wide = await mapInTurns(rows, (row) => ({ ...row, values: [...row.values, ...zeros] }));
  const byGroup = new Map(wide.map((row) => [row.groups[depth], row.values]));
  for (const { across, rows: cells } of levels.filter((level) => level.depth === depth && level.across)) {
    const places = across && first.get(across);
    await mapInTurns(cells, ({ groups, period, values }) => {
      const row = byGroup.get(groups[depth]);
      const place = places?.get(period);
      if (!row || place === undefined) throw new AppError('internal', `Lines of ${period} have no row or no period`);
      for (const [index, measure] of measures.entries()) row[place + index] = values[measure] ?? null;
    });
  }
  return wide;
}

/**
 * Checks that the columns of periods fit, as far as levels have been read.
 * @throws AppError limit for more columns or cells than a pivot may have.
 */
export function assertPeriodsFit(query: Query, levels: readonly LevelRows[]): void {
  const measures = measuresAcross(query);
  const periods = levels.filter(({ depth, across }) => depth === 0 && across);
  const columns = measures.length * periods.reduce((count, { rows }) => count + rows.length, 0);
  if (columns > MAX_PERIOD_COLUMNS)
    throw tooLarge(
      `columns: the periods of the window make ${columns} columns, and a pivot has at most ${MAX_PERIOD_COLUMNS} of them`,
      ['columns', 'measures', 'start_date', 'end_date'],
    );
  const { rows = [] } = levels.find(({ depth, across }) => depth > 0 && !across) ?? {};
  const cells = rows.length * columns;
  if (cells > MAX_PERIOD_CELLS)
    throw tooLarge(
      `columns: ${rows.length} rows by ${columns} columns of periods make ${cells} cells, and a pivot has at most ${MAX_PERIOD_CELLS} of them`,
      ['columns', 'group_by', 'measures', 'start_date', 'end_date'],
    );
}

function tooLarge(message: string, fields: readonly string[]): AppError {
  return new AppError('limit', message, {
    fields: fields.map((field) => ({ field, message })),
    hint: 'Name fewer measures, longer periods in columns, or a shorter window.',
  });
}

/** Offers the periods between the names of a row and its measures, which are the totals. */
export function offerPeriods(
  { catalogue }: Selection,
  { columns, offered }: PreparedSums,
  added: readonly Column[],
): Sums['offered'] {
  const first = offered.findIndex(({ column }) => catalogue.measures.has(column.name));
  const summed = new Set(added.map(({ measure }) => measure));
  return [
    ...offered.slice(0, first),
    ...added.map((column, index) => ({ column, index: columns.length + index })),
    ...offered.slice(first).map(({ column, index }) => ({
      column: summed.has(column.name) ? { ...column, label: `${column.label} total` } : column,
      index,
    })),
  ];
}
