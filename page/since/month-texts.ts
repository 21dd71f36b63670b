import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, pathOf, reportOf } from '../data/catalogue.ts';
import { formatMonth, nameOr } from '../data/numbers.ts';
import { areCompared, changeOf } from '../parts/change.tsx';
import { STATUSES, statusOf } from '../parts/insights.tsx';
import { guardText, type TableFile } from '../parts/table-tools.tsx';
import { type Since, textsOfDifference, WHY } from './since-changes.ts';

/** The columns of projects by months. */
interface MonthColumns {
  readonly variance: Column;
  readonly others: readonly Column[];
  /** The months up to the cutoff: later ones have nothing to compare. */
  readonly months: readonly string[];
  /** The differences of projects since a state. */
  readonly since: Since | undefined;
}

/** Returns the texts of projects by months as they are seen: name, client, status, sums, and each month, with the totals below. */
export function textsOfMonths(
  { variance, others, months, since }: MonthColumns,
  rows: readonly Row[],
  cellsOf: ReadonlyMap<unknown, readonly Row[]>,
  totals: Row | null | undefined,
  byMonth: Answer,
): readonly (readonly string[])[] {
  const sums = [variance, ...others];
  const isCompared = areCompared(rows);
  const changeIn = (row: Row | null | undefined, column: Column) =>
    isCompared ? [changeOf(row, column)?.difference ?? ''] : [];
  const sumsOf = (row: Row | null | undefined) =>
    sums.flatMap((column) => [textOf(row, column.name) ?? '', ...changeIn(row, column)]);
  const headsOf = (label: string) => (isCompared ? [label, `${label}, change`] : [label]);
  const monthsOf = (cells: readonly Row[]) => {
    const found = new Map(cells.map((cell) => [textOf(cell, 'month'), cell]));
    return months.flatMap((month) => {
      const cell = found.get(month);
      return [textOf(cell, variance.name) ?? '', ...changeIn(cell, variance)];
    });
  };
  return [
    [
      ...['Project', 'Client', 'Status'],
      ...sums.map(({ label }) => label).flatMap(headsOf),
      ...(since ? [since.column.label, WHY] : []),
      ...months.map(formatMonth).flatMap(headsOf),
    ],
    ...rows.map((row) => [
      guardText(nameOr(textOf(row, 'name'), row['project_id'], 'project')),
      guardText(textOf(row, 'client') ?? ''),
      STATUSES[statusOf(row)?.status ?? '']?.word ?? '',
      ...sumsOf(row),
      ...(since ? textsOfDifference(since.changed.get(since.keyOf(row))) : []),
      ...monthsOf(cellsOf.get(row['project_id'] ?? null) ?? []),
    ]),
    [
      ...['All projects', '', '', ...sumsOf(totals)],
      ...(since ? textsOfDifference(since.total) : []),
      ...monthsOf(rowsOf(byMonth)),
    ],
  ];
}

/** Returns the workbook of projects whose measures have a column for each month, and one for the window. */
export function workbookOfMonths(catalogue: Catalogue, { variance, others }: MonthColumns): TableFile {
  const names = [variance, ...others].map(({ name }) => name);
  const measures = columnsOf(catalogue, 'pivot', names).map(({ name }) => name);
  const path = pathOf(catalogue, 'pivot', {
    group_by: 'client,project',
    columns: 'month',
    measures: measures.join(','),
    links: undefined,
  });
  const report = reportOf(catalogue, 'pivot').path;
  return { format: 'xlsx', path: path.replace(report, `${report}.xlsx`).replace('&decimals=string', '') };
}
