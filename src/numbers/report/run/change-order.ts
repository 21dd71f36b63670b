import type { Database, Value } from '../../../base/database/index.ts';
import { Exact, mapInTurns, sortInTurns } from '../../../base/index.ts';
import type { Column, Unit } from '../catalogue/table.ts';
import type { Order } from '../request/query.ts';
import { rankNames } from '../source/name-order.ts';

/** A row with the values that name it, by column. */
interface NamedRow {
  readonly names: Readonly<Record<string, Value>>;
}

/** Sorts rows by what names them, those without a value last. @param database The database that sorts names. */
export async function sortRows<Row extends NamedRow>(
  database: Database,
  named: readonly Column[],
  rows: readonly Row[],
): Promise<Row[]> {
  const texts = named.filter(({ unit }) => unit === 'text').map(({ name }) => name);
  const ranks = await rankNames(
    database,
    valuesIn(rows, (row) => texts.map((name) => row.names[name] ?? null)),
  );
  return sortInTurns(rows, (one, other) => {
    for (const { name, unit } of named) {
      const order = compareValues(one.names[name] ?? null, other.names[name] ?? null, { unit, ranks });
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Sorts what rows are made of as the reader asks, and otherwise leaves it in its order; values that are missing come last. */
export async function sortAsAsked<Item>(
  database: Database,
  items: readonly Item[],
  valuesOf: (item: Item) => readonly Value[],
  columns: readonly Column[],
  sort: readonly Order[] = [],
): Promise<readonly Item[]> {
  if (sort.length === 0) return items;
  const orders = sort.map(({ column, isDescending }) => {
    const place = columns.findIndex(({ name }) => name === column);
    return { place, isDescending, unit: columns[place]?.unit };
  });
  const keyed = await mapInTurns(items, (item) => {
    const values = valuesOf(item);
    return { item, keys: orders.map(({ place }) => values[place] ?? null) };
  });
  const texts = orders.flatMap(({ unit }, index) => (unit === 'text' ? [index] : []));
  const ranks = await rankNames(
    database,
    valuesIn(keyed, ({ keys }) => texts.map((index) => keys[index] ?? null)),
  );
  const sorted = await sortInTurns(keyed, (one, other) => {
    for (const [index, { isDescending, unit }] of orders.entries()) {
      const [a, b] = [one.keys[index] ?? null, other.keys[index] ?? null];
      const order = compareValues(a, b, { unit, ranks });
      if (order !== 0) return isDescending && a !== null && b !== null ? -order : order;
    }
    return 0;
  });
  return sorted.map(({ item }) => item);
}

/** Yields some values of each row. */
function* valuesIn<Row>(rows: readonly Row[], valuesOf: (row: Row) => readonly Value[]): Iterable<Value> {
  for (const row of rows) yield* valuesOf(row);
}

/** Compares values of a column, texts by their place in the order of names. */
function compareValues(
  one: Value,
  other: Value,
  { unit, ranks }: { readonly unit: Unit | undefined; readonly ranks: ReadonlyMap<Value, number> },
): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  if (unit === 'budget') return new Exact(String(one)).comparedTo(String(other));
  const [a, b] = unit === 'text' ? [ranks.get(one) ?? one, ranks.get(other) ?? other] : [one, other];
  return a < b ? -1 : 1;
}
