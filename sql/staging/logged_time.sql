-- One row per logged-time record.
-- part: where logged_time_id IN (SELECT logged_time_id FROM core.ledger)
SELECT
  logged_time_id,
  people_id,
  date,
  hours,
  billable AS is_billable,
  project_id,
  COALESCE(phase_id, 0) AS phase_id,
  task_id,
  task_meta_id,
  notes,
  created,
  modified
FROM source.logged_time
