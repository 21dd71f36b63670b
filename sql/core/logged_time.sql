-- One row per logged-time record, with the project and phase it belongs to.
-- D8: without a project it takes that of its allocation, else of its project task, else project 0; and the phase too, when it has none.
-- No allocation has the id 0: so the engine knows that for the record of a project it needs none, which a null doesn't tell it.
-- S2: the record says whether it is billable, or, when it doesn't, its project task does.
SELECT
  logged_time.logged_time_id,
  logged_time.people_id,
  logged_time.date,
  logged_time.hours,
  COALESCE(logged_time.project_id, allocations.project_id, project_tasks.project_id, 0) AS project_id,
  CASE
    WHEN logged_time.project_id IS NOT NULL OR logged_time.phase_id <> 0 THEN logged_time.phase_id
    ELSE COALESCE(allocations.phase_id, project_tasks.phase_id, 0)
  END AS phase_id,
  logged_time.task_id,
  logged_time.task_meta_id,
  COALESCE(logged_time.is_billable, project_tasks.is_billable, TRUE) AS is_billable_work
FROM staging.logged_time
LEFT JOIN staging.allocations ON allocations.task_id = CASE WHEN logged_time.project_id IS NULL THEN logged_time.task_id ELSE 0 END
LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = logged_time.task_meta_id
