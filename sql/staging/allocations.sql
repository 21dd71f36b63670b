-- One row per allocation: hours per day that people are planned to work. The API calls it a task.
-- part: where task_id IN (SELECT task_id FROM core.ledger)
SELECT
  task_id,
  project_id,
  COALESCE(phase_id, 0) AS phase_id,
  people_id,
  start_date,
  end_date,
  hours,
  COALESCE(repeat_state, 0) AS repeat_state,
  repeat_end_date,
  COALESCE(status, 2) AS status,
  billable AS is_billable,
  task_meta_id,
  name,
  notes,
  created,
  modified
FROM source.tasks
