import type { Items } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';

/** A list inside records whose items may be rows of a table of their own: contracts, and members of teams. */
export interface ListTable {
  /** The name of the list, which its files have. */
  readonly list: string;
  /** The rows of the table, as a resource: the id of the record around an item, and the item's fields. */
  readonly rows: Resource;
}

/** Returns the lists that may be tables: those whose items are objects, and have a name of their own. */
export function listTables(resources: readonly Resource[]): ListTable[] {
  return resources.flatMap((resource) =>
    Object.entries(resource.lists)
      .filter(([, items]) => isTable(items))
      .map(([list, { fields }]) => ({ list, rows: rowsOf(resource, fields) })),
  );
}

function isTable({ shape, fields }: Items): boolean {
  return shape === 'list' && Object.values(fields).every(({ from }) => !from?.includes('$'));
}

function rowsOf(owner: Resource, items: Items['fields']): Resource {
  const { id, fields } = owner;
  return {
    ...owner,
    fields: { ...(fields[id] && { [id]: fields[id] }), ...items },
    lists: {},
    nested: {},
    constraints: [],
  };
}
