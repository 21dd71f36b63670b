import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Row, textOf } from '../data/answer.ts';
import { inBudgetUnit } from '../data/budget-units.ts';
import { type Column, isNumber } from '../data/catalogue.ts';
import { areCompared } from './change.tsx';
import { Figure, mostDecimals } from './figure.tsx';
import { Scroll } from './scroll.tsx';
import { nextOrder, type Order, orderIn, SortHeader, sortRows } from './sorting.tsx';
import { filesOf, type TableFile, TableTools, textsOf } from './table-tools.tsx';
import { Unpriced } from './unpriced.tsx';

/** Rows shown at first, and with each press of the button. */
const ROWS_SHOWN = 100;

/** Length from which a text has a wide column. Unit: characters. */
const LONG_TEXT = 40;

/** Cells that are shown in another way than by their unit. */
export type Cells = Readonly<Record<string, (row: Row) => ComponentChildren>>;

export interface ReportTableProps {
  /** The caption, which may count the rows of the table. */
  readonly caption: ComponentChildren | ((rows: readonly Row[]) => ComponentChildren);
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly totals?: Row | null | undefined;
  readonly currency: string;
  readonly cells?: Cells;
  /** Cells of the totals that aren't of the columns' own measures. */
  readonly totalCells?: Cells;
  /** Makes the links that the numbers of a row open. Default: the lines behind them. */
  readonly linkOf?: (row: Row, column: Column) => string | undefined;
  /** Rows shown at first. */
  readonly shownRows?: number;
  /** The path of the report whose rows these are, all of them, for copies in other formats. */
  readonly path?: string | undefined;
  /** The files of the table. Default: those of the path. */
  readonly files?: readonly TableFile[];
  /** Returns what the table tells as a text for a message. */
  readonly message?: () => string;
  /** The name under which the address has its order, and of its file. */
  readonly name: string;
  /** True if more rows are to come, so that the page can't sort them. */
  readonly isPartial?: boolean;
  /** Makes the link by which the server sorts, where the order is a part of the address. */
  readonly sortBy?: (column: string) => string;
  /** The order of the address. */
  readonly sorted?: Order | undefined;
}

/** A table of a report: texts to the left, numbers to the right, totals of the server at the end. Any column sorts it. */
export function ReportTable(sent: ReportTableProps) {
  const props = { ...sent, columns: sent.columns.map((column) => inBudgetUnit(column, sent.rows)) };
  const { caption, columns, totals, currency, path, isPartial = false, sortBy, shownRows = ROWS_SHOWN } = props;
  const [shown, show] = useState(shownRows);
  const [inAddress, setOrder] = orderIn(sent.name);
  // The server sorts where it has the links for it.
  const chosen = sortBy ? undefined : inAddress;
  const order = props.sorted ?? chosen;
  const rows = sortRows(props.rows, chosen, columns);
  const { name, message } = props;
  // The server has no file of a comparison.
  const files = areCompared(rows)
    ? [{ format: 'csv' }]
    : (props.files ?? (path === undefined ? [] : filesOf(path, columns, order)));
  const decimals = new Map(columns.filter(isNumber).map(({ name }) => [name, mostDecimals(rows, name)]));
  const headers = columns.map((column) => (
    <SortHeader
      column={column}
      currency={currency}
      order={order}
      href={sortBy?.(column.name)}
      onSort={isPartial ? undefined : () => setOrder(nextOrder(order, column))}
    />
  ));
  return (
    <>
      {files.length > 0 && (
        <TableTools {...{ name, files, message }} seen={() => textsOf(columns, rows, isPartial ? null : totals)} />
      )}
      <Scroll>
        <table>
          <caption>{typeof caption === 'function' ? caption(rows) : caption}</caption>
          <thead>
            <tr>{headers}</tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row) => (
              <BodyRow row={row} decimals={decimals} {...props} />
            ))}
          </tbody>
          {totals && <Totals row={totals} decimals={decimals} {...props} />}
        </table>
      </Scroll>
      <More shown={shown} of={rows.length} show={show} />
    </>
  );
}

type RowProps = Pick<ReportTableProps, 'columns' | 'cells' | 'totalCells' | 'linkOf'> & {
  readonly row: Row;
  /** The most decimals of each column of numbers. */
  readonly decimals: ReadonlyMap<string, number>;
};

function BodyRow({ row, columns, cells = {}, decimals, linkOf }: RowProps) {
  return (
    <tr>
      {columns.map((column, index) => {
        const content = cells[column.name]?.(row) ?? (
          <Cell row={row} column={column} decimals={decimals.get(column.name)} href={linkOf?.(row, column)} />
        );
        if (index > 0) return <td class={isNumber(column) ? 'number' : column.unit}>{content}</td>;
        return (
          <th scope="row" class={column.unit}>
            {content}
          </th>
        );
      })}
    </tr>
  );
}

function Totals({ row, columns, totalCells = {}, decimals }: RowProps) {
  const [, ...others] = columns;
  return (
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        {others.map((column) => (
          <td class={isNumber(column) ? 'number' : ''}>
            {totalCells[column.name]?.(row) ??
              (isNumber(column) && <Cell row={row} column={column} decimals={decimals.get(column.name)} />)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** Returns a number of things in words. */
export function countOf(rows: readonly Row[], one: string, many = `${one}s`): string {
  return `${rows.length} ${rows.length === 1 ? one : many}`;
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

interface CellProps {
  readonly row: Row;
  readonly column: Column;
  readonly decimals?: number | undefined;
  readonly href?: string | undefined;
}

function Cell({ row, column, decimals = 0, href }: CellProps) {
  if (isNumber(column))
    return (
      <>
        <Unpriced row={row} column={column.name} />
        <Figure row={row} column={column} decimals={decimals} href={href} />
      </>
    );
  const text = textOf(row, column.name);
  if (column.unit === 'boolean') return <>{text === null ? '' : text === 'true' ? 'yes' : 'no'}</>;
  if (text === null || text.trim() === '') return <span class="none">(empty)</span>;
  return text.length > LONG_TEXT ? <div class="long">{text}</div> : text;
}
