import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import { mapInTurns, sortInTurns } from '../../pace.ts';
import type { Column } from '../catalogue/table.ts';
import type { Order } from '../request/query.ts';

/** A row with the values that name it, by column. */
interface NamedRow {
  readonly names: Readonly<Record<string, Value>>;
}

/** Sorts rows by what names them, those without a value last. */
export function sortRows<Row extends NamedRow>(named: readonly Column[], rows: readonly Row[]): Promise<Row[]> {
  return sortInTurns(rows, (one, other) => {
    for (const { name } of named) {
      const order = compareValues(one.names[name] ?? null, other.names[name] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Sorts what rows are made of as the reader asks, and otherwise leaves it in its order; values that are missing come last. */
export async function sortAsAsked<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => readonly Value[],
  columns: readonly Column[],
  sort: readonly Order[] = [],
): Promise<readonly Item[]> {
  if (sort.length === 0) return items;
  const orders = sort.map(({ column, isDescending }) => {
    const place = columns.findIndex(({ name }) => name === column);
    return { place, isDescending, areDecimals: columns[place]?.unit === 'budget' };
  });
  const keyed = await mapInTurns(items, (item) => {
    const values = valuesOf(item);
    return { item, keys: orders.map(({ place }) => values[place] ?? null) };
  });
  const sorted = await sortInTurns(keyed, (one, other) => {
    for (const [index, { isDescending, areDecimals }] of orders.entries()) {
      const [a, b] = [one.keys[index] ?? null, other.keys[index] ?? null];
      const order = compareValues(a, b, areDecimals);
      if (order !== 0) return isDescending && a !== null && b !== null ? -order : order;
    }
    return 0;
  });
  return sorted.map(({ item }) => item);
}

function compareValues(one: Value, other: Value, areDecimals = false): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  if (areDecimals) return new Exact(String(one)).comparedTo(String(other));
  return one < other ? -1 : 1;
}
