import type { Database } from '../../base/database/index.ts';
import { findResource } from '../../records/resource/index.ts';
import { withPublished } from './published-records.ts';

/** The lists of covers, by the kind of the bills that have them. */
const COVERING = [
  { kind: 'invoice', resource: findResource('invoice_lines') },
  { kind: 'write_off', resource: findResource('write_offs') },
] as const;

/**
 * Gives covers without a value that which they have in the published database: what their work earned when they were first seen (N2). So a later
 * change of the work is one after billing.
 * @param file The published database; without one, covers take what their work earns now.
 */
export async function keepCoverValues(database: Database, file: string): Promise<void> {
  const lists = COVERING.flatMap(({ kind, resource }) =>
    Object.values(resource.lists).map((items) => ({ kind, id: resource.id, items })),
  );
  await withPublished(database, file, async (columns) => {
    for (const { kind, id, items } of lists) {
      if (!columns.has(items.table, 'value', items.fields['value'])) continue;
      await database.run(`
        UPDATE source.${items.table} AS cover SET "value" = known.item_value
        FROM published.core.covers AS known
        WHERE cover."value" IS NULL AND known.bill_kind = '${kind}' AND NOT known.is_credit AND (known.is_there OR known.has_own_value)
          AND known.bill_id = cover.${id}
          AND known.line_id = COALESCE('a:' || cover.logged_time_id, 'e:' || CAST(cover.project_expense_id AS VARCHAR))`);
    }
  });
}
