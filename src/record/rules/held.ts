import { fieldFault } from '../body.ts';
import type { Row } from '../node.ts';
import { type Shape, shapes } from '../shape.ts';
import type { Transaction } from '../storage/transaction.ts';

/**
 * Refuses to delete a referenced record.
 * @throws AppError input with the number of references by resource.
 */
export async function refuseHeld(transaction: Transaction, shape: Shape, record: Row): Promise<void> {
  const id = record[shape.id];
  const questions = [...shapes.values()].flatMap((holder) => {
    const tables = tablesNaming(holder, shape.resource.name, Number(id));
    return tables.length === 0
      ? []
      : [
          `SELECT '${holder.resource.name}' AS name, count(DISTINCT holder_id) AS count FROM (${tables.join(' UNION ALL ')})`,
        ];
  });
  const counts = await transaction.rows<{ name: string; count: number }>(questions.join(' UNION ALL '));
  const held = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} of ${name}`);
  if (held.length > 0) throw fieldFault(shape.id, `${id} is still named by ${held.join(', ')}; change those first`);
}

/** Returns the SQL of the ids of a resource's records that reference the record. */
function tablesNaming({ table, id, fields, lists }: Shape, resource: string, named: number): string[] {
  const all = [
    { table, fields },
    ...Object.values(lists).map((items) => ({ ...items, table: `source.${items.table}` })),
  ];
  return all.flatMap((each) =>
    Object.entries(each.fields)
      .filter(([, { refers }]) => refers === resource)
      .map(([name]) => `SELECT ${id} AS holder_id FROM ${each.table} WHERE ${name} = ${named}`),
  );
}
