-- One row per entry of progress.
SELECT
  progress_id,
  project_id,
  phase_id,
  task_meta_id,
  date,
  percent,
  remaining_hours,
  notes,
  created_by,
  created,
  modified
FROM source.progress
