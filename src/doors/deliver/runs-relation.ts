import type { ListedRelation } from '../registry/listed-relation.ts';

/** The occurrences of deliveries, for SQL. */
export const RUNS: ListedRelation = {
  name: 'deliveries.runs',
  meaning: 'One row per occurrence of a delivery and target: what has become of it.',
  columns: {
    name: 'VARCHAR',
    occurrence: 'VARCHAR',
    moment: 'TIMESTAMP',
    is_late: 'BOOLEAN',
    state: 'VARCHAR',
    data_version: 'VARCHAR',
    period: 'VARCHAR',
    row_count: 'INTEGER',
    why: 'VARCHAR',
    target: 'VARCHAR',
    target_state: 'VARCHAR',
    attempts: 'INTEGER',
    tried_at: 'TIMESTAMP',
  },
  // Imported only when used: few statements read it, and schedules need a library.
  list: async (database) => (await import('./delivery-runs.ts')).listDeliveryRuns(database),
};
