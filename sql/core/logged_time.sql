-- One row per logged-time record, with its project, phase and project task.
-- D8: pl_logged_project and pl_logged_phase choose the project, and the phase (given_phase_id). own_project_id, the record's own project, lets an engine skip
-- records before the joins; own_phase_id and own_task_meta_id are its own phase and project task.
-- D9: a phase or project task of another project than that isn't the record's.
-- Records with a project are joined to allocation 0, which doesn't exist: an engine skips such rows, but not rows with a null.
WITH given AS (
  SELECT
    logged_time.logged_time_id,
    logged_time.people_id,
    logged_time.date,
    logged_time.hours,
    logged_time.project_id AS own_project_id,
    logged_time.phase_id AS own_phase_id,
    logged_time.task_meta_id AS own_task_meta_id,
    allocations.project_id AS allocation_project_id,
    project_tasks.project_id AS task_project_id,
    pl_logged_phase(logged_time.project_id, logged_time.phase_id, allocations.phase_id, project_tasks.phase_id) AS given_phase_id,
    logged_time.task_id,
    logged_time.is_billable,
    project_tasks.is_billable AS is_billable_task
  FROM staging.logged_time
  LEFT JOIN staging.allocations ON allocations.task_id = CASE WHEN logged_time.project_id IS NULL THEN logged_time.task_id ELSE 0 END
  LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = logged_time.task_meta_id
),
placed AS (
  SELECT
    given.*,
    pl_logged_project(given.own_project_id, given.allocation_project_id, given.task_project_id, phases.project_id) AS project_id,
    phases.project_id AS phase_project_id
  FROM given
  LEFT JOIN staging.phases ON phases.phase_id = given.given_phase_id
)
SELECT
  logged_time_id,
  people_id,
  date,
  hours,
  own_project_id,
  own_phase_id,
  own_task_meta_id,
  project_id,
  CASE WHEN pl_is_part_of(phase_project_id, project_id) THEN given_phase_id ELSE 0 END AS phase_id,
  given_phase_id,
  task_id,
  CASE WHEN pl_is_part_of(task_project_id, project_id) THEN own_task_meta_id END AS task_meta_id,
  pl_logged_billable(is_billable, CASE WHEN pl_is_part_of(task_project_id, project_id) THEN is_billable_task END) AS is_billable_work
FROM placed
