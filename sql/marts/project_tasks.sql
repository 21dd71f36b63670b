-- One row per project task: a kind of work in a project.
SELECT
  task_meta_id,
  project_id,
  phase_id,
  TRUE AS is_known,
  name AS task
FROM staging.project_tasks
