import { listStateRows } from '../history/describe-state.ts';

/** Returns what lists the rows of relations that are in no file, for SQL over a database. */
export function listedSources(database: string) {
  return {
    states: () => listStateRows(database),
    // Imported only when used: few statements read it, and schedules need a library.
    'deliveries.runs': async () => (await import('./delivery-runs.ts')).listDeliveryRuns(database),
  };
}
