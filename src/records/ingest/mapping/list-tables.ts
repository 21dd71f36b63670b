import type { Items } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';

/** A list inside records whose items may be rows of a table of their own: contracts, and members of teams. */
export interface ListTable {
  /** The name that a mapping gives its rows. */
  readonly name: string;
  readonly list: string;
  /** The rows of the table, as a resource: the id of the record around an item, and the item's fields. */
  readonly rows: Resource;
}

/** Returns the lists of records that may be tables: those whose items are objects. */
export function listTables(resources: readonly Resource[]): ListTable[] {
  return resources.flatMap((resource) =>
    Object.entries(resource.lists)
      .filter(([, items]) => isTable(items))
      .map(([list, { table, fields }]) => ({ name: table, list, rows: rowsOf(resource, fields) })),
  );
}

function isTable({ shape, fields, within }: Items): boolean {
  return shape === 'list' && !within && Object.values(fields).every(({ from }) => !from?.includes('$'));
}

function rowsOf(owner: Resource, items: Items['fields']): Resource {
  const { id, fields } = owner;
  return {
    ...owner,
    fields: { ...(fields[id] && { [id]: fields[id] }), ...items },
    lists: {},
    nested: {},
    constraints: [],
    whole: [],
    apart: undefined,
  };
}
