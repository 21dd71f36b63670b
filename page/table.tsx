import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Row, textOf } from './api.ts';
import { type Column, isNumber, unitOf } from './catalogue.ts';
import { Figure, mostDecimals } from './figure.tsx';

/** Rows shown at first, and with each press of the button. */
const ROWS_SHOWN = 100;

/** Length from which a text has a wide column. Unit: characters. */
const LONG_TEXT = 40;

/** Cells that are shown in another way than by their unit. */
export type Cells = Readonly<Record<string, (row: Row) => ComponentChildren>>;

/** A table of a report: texts to the left, numbers to the right, totals of the server at the end. */
export function ReportTable(props: {
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  totals?: Row | null | undefined;
  currency: string;
  cells?: Cells;
  /** Cells of the totals that show other measures than their columns. */
  totalCells?: Cells;
  /** Rows shown at first. */
  shownRows?: number;
  /** Makes the link that sorts by a column. */
  sortBy?: (column: string) => string;
}) {
  const {
    caption,
    columns,
    rows,
    totals,
    currency,
    cells = {},
    totalCells = {},
    shownRows = ROWS_SHOWN,
    sortBy,
  } = props;
  const [shown, show] = useState(shownRows);
  const visible = rows.slice(0, shown);
  const decimals = new Map(columns.filter(isNumber).map(({ name }) => [name, mostDecimals(rows, name)]));
  const cellOf = (row: Row, column: Column, index: number) => {
    const content = cells[column.name]?.(row) ?? (
      <Cell row={row} column={column} decimals={decimals.get(column.name)} />
    );
    return index === 0 ? (
      <th scope="row" class={column.unit}>
        {content}
      </th>
    ) : (
      <td class={isNumber(column) ? 'number' : column.unit}>{content}</td>
    );
  };
  return (
    <>
      <div class="scroll">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={isNumber(column) ? 'number' : ''} title={column.description}>
                  {sortBy ? <a href={sortBy(column.name)}>{column.label}</a> : column.label}
                  <Unit of={unitOf(column, currency)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.map((row) => (
              <tr>{columns.map((column, i) => cellOf(row, column, i))}</tr>
            ))}
          </tbody>
          {totals && (
            <tfoot>
              <tr>
                {columns.map((column, i) =>
                  i === 0 ? (
                    <th scope="row">Total</th>
                  ) : (
                    <td class={isNumber(column) ? 'number' : ''}>
                      {totalCells[column.name]?.(totals) ??
                        (isNumber(column) && (
                          <Cell row={totals} column={column} decimals={decimals.get(column.name)} />
                        ))}
                    </td>
                  ),
                )}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <More shown={shown} of={rows.length} show={show} />
    </>
  );
}

export function Unit({ of }: { of: string }) {
  return of === '' ? null : <span class="unit">{of}</span>;
}

/** A button for more rows. */
export function More({
  shown,
  of,
  show,
  step = ROWS_SHOWN,
}: {
  shown: number;
  of: number;
  show: (rows: number) => void;
  step?: number;
}) {
  if (of <= shown) return null;
  return (
    <p class="more">
      {shown} of {of} rows.{' '}
      <button type="button" onClick={() => show(shown + step)}>
        Show {Math.min(step, of - shown)} more
      </button>
    </p>
  );
}

function Cell({ row, column, decimals = 0 }: { row: Row; column: Column; decimals?: number | undefined }) {
  if (isNumber(column)) return <Figure row={row} column={column} decimals={decimals} />;
  const text = textOf(row, column.name);
  if (column.unit === 'boolean') return <>{text === null ? '' : text === 'true' ? 'yes' : 'no'}</>;
  if (text === null || text === '') return <span class="none">(empty)</span>;
  return text.length > LONG_TEXT ? <div class="long">{text}</div> : text;
}
