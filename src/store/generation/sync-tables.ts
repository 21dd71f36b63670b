import type { Database } from '../../base/database/index.ts';

/*
 * The tables of syncs, for SQL. Each database has them; those of a dataset that was loaded are empty.
 *
 * sync.source   the service that the records come from, and when they were last known to equal its records
 * sync.runs     a row a run, with its counts
 * sync.changes  a row a record that a run found new, changed or gone
 */

export async function createSyncTables(database: Database): Promise<void> {
  await database.run(`
    CREATE SCHEMA IF NOT EXISTS sync;
    CREATE TABLE IF NOT EXISTS sync.source (url VARCHAR NOT NULL, synced_at TIMESTAMP);
    CREATE TABLE IF NOT EXISTS sync.runs (
      run_id BIGINT NOT NULL, started_at TIMESTAMP NOT NULL, finished_at TIMESTAMP NOT NULL, result VARCHAR NOT NULL,
      is_full BOOLEAN NOT NULL, read BIGINT NOT NULL, new BIGINT NOT NULL, changed BIGINT NOT NULL, gone BIGINT NOT NULL,
      set_aside BIGINT NOT NULL, requests BIGINT NOT NULL, waited_seconds DECIMAL(18, 3) NOT NULL, message VARCHAR);
    CREATE TABLE IF NOT EXISTS sync.changes (
      run_id BIGINT NOT NULL, resource VARCHAR NOT NULL, record_id VARCHAR NOT NULL, what VARCHAR NOT NULL,
      learned_at TIMESTAMP NOT NULL);
    COMMENT ON TABLE sync.source IS 'The service that the records come from, and when they equaled its records (UTC); empty for a loaded dataset.';
    COMMENT ON TABLE sync.runs IS 'One row per sync: when it ran (UTC), how it ended, and what it read and changed.';
    COMMENT ON TABLE sync.changes IS 'One row per record that a sync found new, changed or gone, and when (UTC).';`);
}
