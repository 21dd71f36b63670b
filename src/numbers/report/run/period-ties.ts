import type { Value } from '../../../base/database/index.ts';
import type { Dimension } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isAdditive } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { maySeeInPart } from '../plan/outside.ts';
import { isOfPeriod } from '../plan/period-columns.ts';
import type { Query, Selection } from '../request/query.ts';
import { partsOf, type SummedValues, sumsSeen, tieSums } from './row-ties.ts';
import type { Comparison } from './ties.ts';

/** Rows with columns of periods, and their totals. */
interface PeriodSums {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  readonly totals: readonly Value[];
}

/**
 * Compares the periods of each row with its total, and the rows of each period with the period's.
 * Rows that overlap exceed the total, so their totals are compared by period.
 */
export async function tiePeriods(
  { selection, grouping: { measures, across, dimensions } }: Query,
  sums: PeriodSums,
): Promise<Comparison[]> {
  const overlaps = dimensions.some((dimension) => dimension.overlaps);
  const ties: Comparison[] = [];
  for (const measure of measures.filter(isAdditive))
    for (const dimension of across) ties.push(...(await tieMeasure(selection, measure, dimension, sums, overlaps)));
  return ties;
}

async function tieMeasure(
  selection: Selection,
  measure: Measure,
  { label, period }: Dimension,
  { columns, rows, totals }: PeriodSums,
  overlaps: boolean,
): Promise<Comparison[]> {
  const total = columns.findIndex(({ name }) => name === measure.name);
  const places = columns.flatMap((column, place) =>
    column.measure === measure.name && period && isOfPeriod(column, period) ? [place] : [],
  );
  if (places.length === 0) return [];
  const ofRow = (row: readonly Value[]): SummedValues => ({
    parts: places.map((place) => row[place] ?? null),
    total: row[total] ?? null,
  });
  const subject = `${measure.label.toLowerCase()} by ${label.toLowerCase()}`;
  const isCost = measure.needs_rates ?? false;
  const seen = (sums: Iterable<SummedValues>) => sumsSeen(maySeeInPart(selection, measure), sums);
  return [
    await tieSums({ subject, sides: ['sum of the periods', 'total of each row'] }, seen(sumsOf(rows, ofRow)), isCost),
    overlaps
      ? await tieSums({ subject, sides: ['sum of the periods', 'total'] }, seen([ofRow(totals)]), isCost)
      : await tieSums(
          { subject, sides: ['sum of the rows', 'total of each period'] },
          seen(sumsOf(places, (place) => ({ parts: partsOf(rows, place), total: totals[place] ?? null }))),
          isCost,
        ),
  ];
}

/** Yields the sums of items, so that not all of them are in memory. */
function* sumsOf<Item>(items: Iterable<Item>, sumOf: (item: Item) => SummedValues): Iterable<SummedValues> {
  for (const item of items) yield sumOf(item);
}
