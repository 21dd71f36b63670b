-- One row per project task: a kind of work in a project.
-- Only tasks with a record are here, so is_known is always true.
SELECT
  task_meta_id,
  project_id,
  phase_id,
  TRUE AS is_known,
  name AS task
FROM staging.project_tasks
