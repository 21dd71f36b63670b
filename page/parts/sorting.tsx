import { address, go, linkTo } from '../data/address.ts';
import { type Row, textOf } from '../data/answer.ts';
import { type Column, isNumber, unitOf } from '../data/catalogue.ts';
import { compareDecimals } from '../data/numbers.ts';
import { Unit } from './figure.tsx';

/** The order of a table's rows. */
export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Returns the order after a press on a column's header: numbers begin with the largest, texts with the first. */
export function nextOrder(order: Order | undefined, column: Column): Order {
  if (order?.column !== column.name) return { column: column.name, isDescending: isNumber(column) };
  return { ...order, isDescending: !order.isDescending };
}

/**
 * Returns the order of a table, and a function that changes it. @param table The name under which the address has it, beside those of
 *   other tables, such as `phases:-actual_hours`.
 */
export function orderIn(table: string): readonly [Order | undefined, (order: Order) => void] {
  const orders = (address.value.get('order') ?? '').split(',').filter(Boolean);
  const own = orders.find((each) => each.startsWith(`${table}:`))?.slice(table.length + 1);
  const set = ({ column, isDescending }: Order) => {
    const others = orders.filter((each) => !each.startsWith(`${table}:`));
    go(linkTo({ order: [...others, `${table}:${isDescending ? '-' : ''}${column}`].join(',') }));
  };
  return [own === undefined ? undefined : orderOf(own), set];
}

/** Returns the order that a parameter of the address names. */
export function orderOf(sort: string): Order {
  return { column: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };
}

/** Returns the parameter of the address after a press on a column's header. */
export function nextSort(sort: string, column: Column): string {
  const { column: name, isDescending } = nextOrder(orderOf(sort), column);
  return isDescending ? `-${name}` : name;
}

/** Returns rows in an order, exactly; unknown values come last. */
export function sortRows(rows: readonly Row[], order: Order | undefined, columns: readonly Column[]): readonly Row[] {
  const column = columns.find(({ name }) => name === order?.column);
  if (!order || !column) return rows;
  const compare = isNumber(column) ? compareDecimals : compareNames;
  return rows.toSorted((one, other) => {
    const [left, right] = [textOf(one, column.name), textOf(other, column.name)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return order.isDescending ? compare(right, left) : compare(left, right);
  });
}

/** Compares texts in the order of the server's reports: that of English, and of most languages. */
export function compareNames(one: string, other: string): number {
  return one.localeCompare(other, 'en') || (one < other ? -1 : Number(one > other));
}

/** The header of a column: a link by which the server sorts, a button by which the page does, or a text. */
export function SortHeader(props: {
  column: Column;
  currency: string;
  order: Order | undefined;
  href?: string | undefined;
  onSort?: (() => void) | undefined;
}) {
  const { column, currency, order, href, onSort } = props;
  const isSorted = order?.column === column.name;
  const direction = isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined;
  const label = (
    <>
      {column.label}
      <Unit of={unitOf(column, currency)} />
      {isSorted && <span aria-hidden="true"> {order.isDescending ? '↓' : '↑'}</span>}
    </>
  );
  return (
    <th scope="col" class={isNumber(column) ? 'number' : ''} title={column.description} aria-sort={direction}>
      {href !== undefined ? (
        <a href={href}>{label}</a>
      ) : onSort ? (
        <button type="button" class="sort" onClick={onSort}>
          {label}
        </button>
      ) : (
        label
      )}
    </th>
  );
}
