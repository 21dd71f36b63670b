import type { Value } from '../../database/database.ts';
import type { Dimension } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isAdditive } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { isOfPeriod } from '../plan/period-columns.ts';
import type { Grouping } from '../request/query.ts';
import { type SummedValues, tieSums } from './row-ties.ts';
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
export function tiePeriods({ measures, across, dimensions }: Grouping, sums: PeriodSums): Comparison[] {
  const overlaps = dimensions.some((dimension) => dimension.overlaps);
  return measures
    .filter(isAdditive)
    .flatMap((measure) => across.flatMap((dimension) => tieMeasure(measure, dimension, sums, overlaps)));
}

function tieMeasure(
  measure: Measure,
  { label, period }: Dimension,
  { columns, rows, totals }: PeriodSums,
  overlaps: boolean,
): Comparison[] {
  const total = columns.findIndex(({ name }) => name === measure.name);
  const places = columns.flatMap((column, place) =>
    column.measure === measure.name && period && isOfPeriod(column, period) ? [place] : [],
  );
  if (places.length === 0) return [];
  const ofRow = (row: readonly Value[]): SummedValues => ({
    parts: places.map((place) => row[place] ?? null),
    total: row[total] ?? null,
  });
  const ofPeriod = (place: number): SummedValues => ({
    parts: rows.map((row) => row[place] ?? null),
    total: totals[place] ?? null,
  });
  const subject = `${measure.label.toLowerCase()} by ${label.toLowerCase()}`;
  const isCost = measure.needs_rates ?? false;
  return [
    tieSums({ subject, sides: ['sum of the periods', 'total of each row'] }, rows.map(ofRow), isCost),
    overlaps
      ? tieSums({ subject, sides: ['sum of the periods', 'total'] }, [ofRow(totals)], isCost)
      : tieSums({ subject, sides: ['sum of the rows', 'total of each period'] }, places.map(ofPeriod), isCost),
  ];
}
