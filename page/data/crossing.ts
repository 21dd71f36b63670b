import { type Answer, BEFORE, type Row, rowsOf, textOf } from './answer.ts';
import type { Column, Dimension } from './catalogue.ts';

/*
 * Rows by the values of a further dimension: columns of a table, and colors or the time of a chart. Each cell is a row of
 * the server, with its own lines.
 */

/** Columns at most that a dimension makes. */
export const MAX_COLUMNS = 60;

/** The value of the further dimension of a cell, with the sums of its column. */
interface Across {
  readonly key: string;
  readonly name: string;
  readonly totals: Row;
}

/** Rows, the values across, and the cells where they meet. */
export interface Crossing {
  readonly across: readonly Across[];
  readonly cellOf: (row: Row, key: string) => Row | undefined;
}

/** Returns the key of a row: those of its dimensions. */
function keyOf(row: Row, dimensions: readonly Dimension[]): string {
  return dimensions.map(({ key }) => textOf(row, key) ?? '').join('\t');
}

/**
 * Joins cells to their rows and columns.
 * @param cells The answer by the dimensions of the rows and the further one.
 * @param sums The answer by the further dimension alone.
 * @param nameOf Returns the name of a row of the sums.
 */
export function cross(
  dimensions: readonly Dimension[],
  further: Dimension,
  cells: Answer,
  sums: Answer,
  nameOf: (row: Row) => string,
): Crossing {
  const found = new Map(rowsOf(cells).map((cell) => [`${keyOf(cell, dimensions)}\n${keyOf(cell, [further])}`, cell]));
  const across = rowsOf(sums).map((totals) => ({ key: keyOf(totals, [further]), name: nameOf(totals), totals }));
  return {
    across: across.slice(0, MAX_COLUMNS),
    cellOf: (row, key) => found.get(`${keyOf(row, dimensions)}\n${key}`),
  };
}

/** A column of a crossing, whose numbers are those of a measure in its cells. */
export interface CrossedColumn extends Column {
  readonly measure: Column;
  readonly across: Across;
}

/** Returns the columns of measures by the values across, each followed by its sum over all. */
export function columnsAcross({ across }: Crossing, measures: readonly Column[]): readonly (Column | CrossedColumn)[] {
  const prefix = ({ label }: Column) => (measures.length > 1 ? `${label}, ` : '');
  return measures.flatMap((measure) => [
    ...across.map((each) => ({
      ...{ ...measure, measure, across: each },
      ...{ name: `${measure.name} ${each.key}`, label: `${prefix(measure)}${each.name}` },
    })),
    { ...measure, label: `${prefix(measure)}all` },
  ]);
}

/** Returns whether a column is one of a crossing. */
export function isCrossed(column: Column | CrossedColumn): column is CrossedColumn {
  return 'across' in column;
}

/** Returns a row with the numbers of its cells under the names of their columns, by which a table sorts and copies them. */
export function withCells(
  row: Row,
  columns: readonly CrossedColumn[],
  cellOf: (column: CrossedColumn) => Row | undefined,
): Row {
  const read = (of: (cell: Row) => Row | null | undefined) =>
    Object.fromEntries(
      columns.flatMap((column) => {
        const cell = cellOf(column);
        return cell ? [[column.name, textOf(of(cell), column.measure.name)]] : [];
      }),
    );
  const before = row[BEFORE];
  return {
    ...row,
    ...read((cell) => cell),
    ...(before !== undefined && { [BEFORE]: before && { ...before, ...read((cell) => cell[BEFORE]) } }),
  };
}
