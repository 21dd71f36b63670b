-- One row per project task record, with its phase.
-- D9: a phase of another project isn't the task's. An unknown phase stays.
SELECT
  project_tasks.task_meta_id,
  project_tasks.project_id,
  CASE WHEN pl_is_part_of(phases.project_id, project_tasks.project_id) THEN project_tasks.phase_id ELSE 0 END AS phase_id,
  project_tasks.name,
  project_tasks.budget
FROM staging.project_tasks
LEFT JOIN staging.phases ON phases.phase_id = project_tasks.phase_id
