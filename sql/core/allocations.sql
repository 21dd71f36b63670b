-- One row per allocation, with the status and billability of its lines.
-- Stored as a table.
-- S1: canceled if any part is; else the least firm part; completed if that is confirmed and any part is completed.
-- S2: billable unless the project task says so, or, without one, the allocation.
-- What isn't known (a project, a phase, a project task) says nothing.
WITH parts AS (
  SELECT
    allocations.task_id,
    allocations.project_id,
    allocations.phase_id,
    allocations.people_id,
    allocations.task_meta_id,
    allocations.start_date,
    allocations.end_date,
    allocations.hours,
    allocations.repeat_state,
    allocations.repeat_end_date,
    allocations.status,
    COALESCE(projects.status, 2) AS project_status,
    COALESCE(phases.status, 2) AS phase_status,
    CASE
      WHEN project_tasks.task_meta_id IS NOT NULL THEN COALESCE(project_tasks.is_billable, TRUE)
      ELSE COALESCE(allocations.is_billable, TRUE)
    END AS is_billable_work
  FROM staging.allocations
  LEFT JOIN staging.projects ON projects.project_id = allocations.project_id
  LEFT JOIN staging.phases ON phases.phase_id = allocations.phase_id
  LEFT JOIN staging.project_tasks ON project_tasks.task_meta_id = allocations.task_meta_id
),
statuses AS (
  SELECT
    task_id,
    4 IN (status, project_status, phase_status) AS is_canceled,
    3 IN (status, project_status, phase_status) AS is_completed,
    LEAST(status, project_status, phase_status) AS least_firm
  FROM parts
)
SELECT
  parts.task_id,
  parts.project_id,
  parts.phase_id,
  parts.people_id,
  parts.task_meta_id,
  parts.start_date,
  parts.end_date,
  parts.hours,
  parts.repeat_state,
  parts.repeat_end_date,
  pl_line_status(
    CASE
      WHEN statuses.is_canceled THEN 'canceled'
      WHEN statuses.least_firm = 0 THEN 'draft'
      WHEN statuses.least_firm = 1 THEN 'tentative'
      WHEN statuses.is_completed THEN 'completed'
      ELSE 'confirmed'
    END
  ) AS status,
  parts.is_billable_work
FROM parts
JOIN statuses ON statuses.task_id = parts.task_id
