-- One row per allocation, with the status and billability of its lines.
-- stored: table
-- S1: canceled if any of its project, phase and allocation is; otherwise the least firm status; completed if that is confirmed and any is completed.
-- S2: billable unless its project task isn't or, without a project task, the allocation itself isn't.
-- D9: a phase or project task of another project isn't the allocation's. An unknown project, phase or project task has no effect.
-- part: where task_id IN (SELECT task_id FROM core.ledger)
-- copied: without rates
WITH parts AS (
  SELECT
    allocations.task_id,
    allocations.project_id,
    CASE WHEN pl_is_part_of(phases.project_id, allocations.project_id) THEN allocations.phase_id ELSE 0 END AS phase_id,
    allocations.people_id,
    CASE WHEN pl_is_part_of(project_tasks.project_id, allocations.project_id) THEN allocations.task_meta_id END AS task_meta_id,
    allocations.start_date,
    allocations.end_date,
    allocations.hours,
    allocations.repeat_state,
    allocations.repeat_end_date,
    allocations.status,
    COALESCE(projects.status, 2) AS project_status,
    CASE WHEN phases.project_id = allocations.project_id THEN phases.status ELSE 2 END AS phase_status,
    CASE
      WHEN project_tasks.project_id = allocations.project_id THEN COALESCE(project_tasks.is_billable, TRUE)
      ELSE COALESCE(allocations.is_billable, TRUE)
    END AS is_billable_work
  FROM staging.allocations
  LEFT JOIN staging.projects ON projects.project_id = allocations.project_id
  LEFT JOIN staging.phases ON phases.phase_id = allocations.phase_id
  LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = allocations.task_meta_id
)
SELECT
  task_id,
  project_id,
  phase_id,
  people_id,
  task_meta_id,
  start_date,
  end_date,
  hours,
  repeat_state,
  repeat_end_date,
  pl_line_status(
    CASE
      WHEN 4 IN (status, project_status, phase_status) THEN 'canceled'
      WHEN LEAST(status, project_status, phase_status) = 0 THEN 'draft'
      WHEN LEAST(status, project_status, phase_status) = 1 THEN 'tentative'
      WHEN 3 IN (status, project_status, phase_status) THEN 'completed'
      ELSE 'confirmed'
    END
  ) AS status,
  is_billable_work
FROM parts
