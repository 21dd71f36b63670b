-- One row per logged-time record, with its project and phase.
-- D8: pl_logged_project and pl_logged_phase choose them. own_project_id, the record's own project, lets an engine skip records before the joins.
-- Records with a project are joined to allocation 0, which doesn't exist: an engine skips such rows, but not rows with a null.
SELECT
  logged_time.logged_time_id,
  logged_time.people_id,
  logged_time.date,
  logged_time.hours,
  logged_time.project_id AS own_project_id,
  pl_logged_project(logged_time.project_id, allocations.project_id, project_tasks.project_id) AS project_id,
  pl_logged_phase(logged_time.project_id, logged_time.phase_id, allocations.phase_id, project_tasks.phase_id) AS phase_id,
  logged_time.task_id,
  logged_time.task_meta_id,
  pl_logged_billable(logged_time.is_billable, project_tasks.is_billable) AS is_billable_work
FROM staging.logged_time
LEFT JOIN staging.allocations ON allocations.task_id = CASE WHEN logged_time.project_id IS NULL THEN logged_time.task_id ELSE 0 END
LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = logged_time.task_meta_id
