import type { Value } from '../../../base/database/index.ts';
import { mapInTurns } from '../../../base/index.ts';
import type { Dimension } from '../catalogue/catalogue.ts';
import type { Column, Table } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';

/** The columns of a dimension in a table: of its key, and of its name. */
export interface NamedKey {
  readonly dimension: Dimension;
  readonly id: number;
  readonly name: number;
}

/** The values of a row, by the columns of its table. */
export type TableRow = readonly Value[];

/** Returns the name of an id without a record, the same in every door. @param label What it is an id of. */
export function nameUnknownId(label: string | undefined, id: unknown): string {
  return `Unknown ${label?.toLowerCase() ?? 'id'} ${id}`;
}

/** Returns the name of no id, the same wherever people read. @param label What there is none of. */
export function nameNone(label: string): string {
  return `(no ${label.toLowerCase()})`;
}

/** Returns a name in a sentence; for a blank one, and for an id without a record, words with the id. @param label As nameUnknownId. */
export function spellName(label: string, name: Value | undefined, id: unknown): string {
  if (name == null) return nameUnknownId(label, id);
  return String(name) === '' ? `(no name) ${id}` : String(name);
}

/** Names each row without a record by its id, and without an id by what it lacks: Unknown project 597, (no client). */
export function nameUnknown(query: Query, columns: readonly Column[], rows: readonly TableRow[]): Promise<TableRow[]> {
  const keys = namedKeys(query, columns);
  return mapInTurns(rows, (row) => nameRow(row, keys));
}

function nameRow(row: TableRow, keys: readonly NamedKey[]): TableRow {
  const nameless = keys.filter(({ name }) => (row[name] ?? null) === null);
  if (nameless.length === 0) return row;
  const named = [...row];
  for (const { dimension, id, name } of nameless)
    named[name] = row[id] == null ? nameNone(dimension.label) : nameUnknownId(dimension.label, row[id]);
  return named;
}

/** Names subtotals as rows, by the dimensions that they are of; those that they add up stay blank. */
export function nameSubtotals(query: Query, { columns, subtotals }: Table): Pick<Table, 'subtotals'> {
  if (!subtotals) return {};
  const keys = namedKeys(query, columns);
  const ownKeys = (by: readonly string[]) => keys.filter(({ name }) => by.includes(columns[name]?.name ?? ''));
  return { subtotals: subtotals.map((each) => ({ ...each, values: nameRow(each.values, ownKeys(each.by)) })) };
}

/** Names the rows of a table without a name, for people to read. */
export function nameUnknownRows(query: Query, table: Table): Table {
  const named = async function* (): Table['rows'] {
    for await (const chunk of table.rows) yield await nameUnknown(query, table.columns, chunk);
  };
  return { ...table, rows: named(), ...nameSubtotals(query, table) };
}

export function lacksRecord(row: TableRow, { id, name }: NamedKey): boolean {
  return (row[id] ?? null) !== null && (row[name] ?? null) === null;
}

/** Returns the columns of the dimensions that a table names. */
export function namedKeys(
  { selection: { report }, grouping: { dimensions } }: Query,
  columns: readonly Column[],
): NamedKey[] {
  return dimensions.flatMap((dimension) => {
    const targetOf = (attribute: string) => `${dimension.name}.${attribute}`;
    const columnOf = (attribute: string) =>
      Object.entries(report.columns ?? {}).find(([, target]) => target === targetOf(attribute))?.[0] ?? attribute;
    const placeOf = (attribute: string) => columns.findIndex(({ name }) => name === columnOf(attribute));
    const [id, name] = [placeOf(dimension.key), placeOf(dimension.name)];
    return id < 0 || name < 0 ? [] : [{ dimension, id, name }];
  });
}
