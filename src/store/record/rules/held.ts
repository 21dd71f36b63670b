import { type Resource, resources } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';

/**
 * Refuses to delete a referenced record.
 * @throws AppError input with the number of references by resource.
 */
export async function refuseHeld(transaction: Transaction, resource: Resource, record: Row): Promise<void> {
  const id = record[resource.id];
  const questions = resources.flatMap((holder) => {
    const tables = tablesNaming(holder, resource.name, Number(id));
    return tables.length === 0
      ? []
      : [`SELECT '${holder.name}' AS name, count(DISTINCT holder_id) AS count FROM (${tables.join(' UNION ALL ')})`];
  });
  const counts = await transaction.rows<{ name: string; count: number }>(questions.join(' UNION ALL '));
  const held = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${name} (${count})`);
  if (held.length > 0)
    throw fieldFault(resource.id, `${id} is still used by ${held.join(', ')}; change those records first`);
}

/** Returns the SQL of the ids of a resource's records that reference the record. */
function tablesNaming({ table, id, fields, lists }: Resource, named: string, value: number): string[] {
  const all = [
    { table, fields },
    ...Object.values(lists).map((items) => ({ ...items, table: `source.${items.table}` })),
  ];
  return all.flatMap((each) =>
    Object.entries(each.fields)
      .filter(([, { refers }]) => refers === named)
      .map(([name]) => `SELECT ${id} AS holder_id FROM ${each.table} WHERE ${name} = ${value}`),
  );
}
