import { Bars, colorsOf, type Place } from '../charts/bars.tsx';
import { address, linkTo } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { BESIDE_EARNED, inBudgetUnit, inEarnedUnit } from '../data/budget-units.ts';
import { type Catalogue, type Column, columnsOf, type Dimension, isNumber } from '../data/catalogue.ts';
import {
  type CrossedColumn,
  type Crossing,
  columnsAcross,
  cross,
  isCrossed,
  MAX_COLUMNS,
  withCells,
} from '../data/crossing.ts';
import { formatPeriod, nameOr } from '../data/numbers.ts';
import { Figure, mostDecimals } from '../parts/figure.tsx';
import { placeCells } from '../parts/place-cells.tsx';
import { orderOf } from '../parts/sorting.tsx';
import { Empty } from '../parts/states.tsx';
import { type Cells, countOf } from '../parts/table.tsx';
import { comparedOf } from '../since/since-changes.ts';
import { type ComparedRows, SinceTable } from '../since/since-table.tsx';

/** Charts at most, one for each measure. */
const MAX_CHARTS = 4;

interface ExploredProps {
  readonly catalogue: Catalogue;
  readonly groups: readonly string[];
  readonly measures: readonly string[];
  readonly answer: Answer;
  readonly path: string;
  /** The dimension across, if there is one, with the answers that have its cells and its sums. */
  readonly known: { readonly further: Dimension; readonly cells: Answer; readonly sums: Answer } | undefined;
}

/** The answer to what is explored: charts, and a table. */
export function Explored({ catalogue, groups, measures, answer, path, known }: ExploredProps) {
  const rows = rowsOf(answer);
  const dimensions = groups.flatMap((group) => catalogue.dimensions.find(({ name }) => name === group) ?? []);
  const shown = dimensions.flatMap(({ columns }) => columns);
  const texts = shown.filter((name) => !name.endsWith('_id') || shown.length === 1);
  const isAnswered = (name: string) => rows.some((row) => name in row);
  const beside = ['budget_unit', 'retainer_unit', ...BESIDE_EARNED].filter(isAnswered);
  const countedOf = (list: readonly string[]) =>
    columnsOf(catalogue, 'pivot', list).map((column) => inEarnedUnit(column, answer.meta.parameters));
  const measured = countedOf(measures)
    .filter(isNumber)
    .map((column) => inBudgetUnit(column, [...rows, ...(known ? rowsOf(known.cells) : [])]));
  const drawn = measured.filter(({ unit }) => unit !== 'budget');
  const hasPeriods = dimensions.some(({ period }) => period !== undefined);
  const names = namesOf([...dimensions, ...(known ? [known.further] : [])]);
  const nameOf = (row: Row) => texts.map((name) => names[name]?.(row)).join(', ');
  if (rows.length === 0) return <Empty>No line is in this window, with these filters.</Empty>;
  const crossing =
    known && cross(dimensions, known.further, known.cells, known.sums, nameOfAcross(known.further, names));
  const isTimeAcross = known?.further.period !== undefined;
  const sort = address.value.get('sort');
  const places = placesOf(rows, nameOf, crossing, isTimeAcross);
  const since = { measure: comparedOf(catalogue, measures)[0]?.name, dimensions: groups };
  // A series has one color in all charts.
  const colors = colorsOf(places, drawn[0]?.name ?? '');
  return (
    <>
      {answer.meta.notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
      {known && rowsOf(known.sums).length > MAX_COLUMNS && (
        <p class="hint">
          The first {MAX_COLUMNS} of {rowsOf(known.sums).length} columns.
        </p>
      )}
      {drawn.slice(0, MAX_CHARTS).map((measure) => (
        <Bars
          {...{ places, measure, colors, answer }}
          scaled={drawn.slice(0, MAX_CHARTS).filter(({ unit }) => unit === measure.unit)}
          isTime={isTimeAcross || (hasPeriods && groups.length === 1 && sort === null)}
          isSorted={sort !== null || hasPeriods}
        />
      ))}
      {measured
        .filter((measure) => measure.unit === 'budget' && rows.some((row) => textOf(row, measure.name) !== null))
        .map(({ label }) => (
          <p class="hint">{label} is in hours in some rows and in money in others, which no chart compares.</p>
        ))}
      {drawn.length > MAX_CHARTS && <p class="hint">The first {MAX_CHARTS} measures are drawn; the table has all.</p>}
      {crossing ? (
        <CrossedTable
          {...{ catalogue, since, answer, crossing }}
          columns={[...countedOf([...texts, ...beside]), ...columnsAcross(crossing, measured)]}
          cells={{ ...names, ...placeCells }}
        />
      ) : (
        <SinceTable
          {...{ catalogue, since }}
          name="explore"
          caption={(shown) => countOf(shown, 'row')}
          columns={countedOf([...texts, ...beside, ...measures])}
          rows={rows}
          totals={answer.totals}
          currency={answer.meta.currency}
          path={path}
          cells={{ ...names, ...placeCells }}
          sorted={sort === null ? undefined : orderOf(sort)}
          sortBy={(name) => linkTo({ sort: sort === `-${name}` ? name : `-${name}` })}
        />
      )}
    </>
  );
}

function nameOfAcross({ columns, key }: Dimension, names: Readonly<Record<string, (row: Row) => string>>) {
  const named = columns.find((column) => !column.endsWith('_id')) ?? key;
  return (row: Row) => names[named]?.(row) ?? '';
}

/** Returns the places of charts: the rows, split by what is across, or the time that is across, split by the rows. */
function placesOf(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  crossing: Crossing | undefined,
  isTimeAcross: boolean,
): readonly Place[] {
  if (!crossing) return rows.map((row) => ({ name: nameOf(row), total: row, parts: [{ series: undefined, row }] }));
  const { across, cellOf } = crossing;
  const partOf = (series: string, cell: Row | undefined) => (cell ? [{ series, row: cell }] : []);
  if (isTimeAcross)
    return across.map(({ key, name, totals }) => ({
      ...{ name, total: totals },
      parts: rows.flatMap((row) => partOf(nameOf(row), cellOf(row, key))),
    }));
  return rows.map((row) => ({
    ...{ name: nameOf(row), total: row },
    parts: across.flatMap(({ key, name }) => partOf(name, cellOf(row, key))),
  }));
}

interface CrossedTableProps {
  readonly catalogue: Catalogue;
  readonly since: ComparedRows;
  readonly answer: Answer;
  readonly crossing: Crossing;
  readonly columns: readonly (Column | CrossedColumn)[];
  readonly cells: Cells;
}

/** The table of a crossing: a column for each value across, and the sums. Each number opens its lines. */
function CrossedTable({ catalogue, since, answer, crossing: { cellOf }, columns, cells }: CrossedTableProps) {
  const crossed = columns.filter(isCrossed);
  const ofRow = (row: Row) => (column: CrossedColumn) => cellOf(row, column.across.key);
  const ofTotals = (column: CrossedColumn) => column.across.totals;
  const rows = rowsOf(answer).map((row) => withCells(row, crossed, ofRow(row)));
  const figure = (cell: Row | undefined, { name, measure }: CrossedColumn) =>
    cell ? <Figure row={cell} column={measure} decimals={mostDecimals(rows, name)} /> : '';
  const cellsOf = (read: (row: Row) => (column: CrossedColumn) => Row | undefined) =>
    Object.fromEntries(crossed.map((column) => [column.name, (row: Row) => figure(read(row)(column), column)]));
  return (
    <SinceTable
      {...{ catalogue, since }}
      name="explore"
      caption={(shown) => countOf(shown, 'row')}
      columns={columns}
      rows={rows}
      totals={answer.totals && withCells(answer.totals, crossed, ofTotals)}
      totalCells={cellsOf(() => ofTotals)}
      currency={answer.meta.currency}
      files={[{ format: 'csv' }]}
      cells={{ ...cells, ...cellsOf(ofRow) }}
    />
  );
}

/** Returns the texts that name a row, by column: a row without a name is named by its id. */
function namesOf(dimensions: readonly Dimension[]): Readonly<Record<string, (row: Row) => string>> {
  const names = dimensions.flatMap(({ key, label, columns, period }) =>
    columns.map((column) => {
      const name = (row: Row) => {
        const [text, id] = [textOf(row, column), textOf(row, key)];
        if (typeof row[column] === 'boolean') return row[column] ? 'yes' : 'no';
        if (text && period !== undefined) return formatPeriod(period, text);
        return id === null ? text || '(none)' : nameOr(text, id, label);
      };
      return [column, name] as const;
    }),
  );
  return Object.fromEntries(names);
}
