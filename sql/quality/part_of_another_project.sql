-- One row per record, or item of a project's team, and phase or project task of another project that it names: it counts as if it named none (D9).
-- The hours and the amount are those of its lines, at the rates of its own project.
WITH parts AS (
  SELECT 'phase' AS kind, phase_id AS part_id, project_id AS part_project_id
  FROM staging.phases
  UNION ALL
  SELECT 'project task', task_meta_id, project_id
  FROM staging.project_tasks
),
plans AS (
  SELECT task_id, SUM(hours) AS hours, SUM(fee) AS fee, MIN(people_id) AS people_id
  FROM core.ledger
  WHERE kind = pl_line_kind('scheduled') AND status <> pl_line_status('canceled')
  GROUP BY task_id
),
logged AS (
  SELECT placed.logged_time_id, placed.date, placed.hours, placed.people_id, placed.project_id, ledger.fee
  FROM core.logged_time AS placed
  LEFT JOIN core.ledger ON ledger.kind = pl_line_kind('actual') AND ledger.logged_time_id = placed.logged_time_id
),
naming AS (
  SELECT 'tasks' AS resource, CAST(allocations.task_id AS VARCHAR) AS id, 'phase_id' AS field, 'phase' AS kind, allocations.phase_id AS part_id,
    allocations.start_date AS date, plans.hours, plans.fee, plans.people_id, allocations.project_id
  FROM staging.allocations
  LEFT JOIN plans ON plans.task_id = allocations.task_id
  UNION ALL
  SELECT 'tasks', CAST(allocations.task_id AS VARCHAR), 'task_meta_id', 'project task', allocations.task_meta_id,
    allocations.start_date, plans.hours, plans.fee, plans.people_id, allocations.project_id
  FROM staging.allocations
  LEFT JOIN plans ON plans.task_id = allocations.task_id
  UNION ALL
  SELECT 'logged_time', records.logged_time_id, 'phase_id', 'phase', records.phase_id, logged.date, logged.hours, logged.fee, logged.people_id,
    logged.project_id
  FROM staging.logged_time AS records
  JOIN logged ON logged.logged_time_id = records.logged_time_id
  UNION ALL
  SELECT 'logged_time', records.logged_time_id, 'task_meta_id', 'project task', records.task_meta_id, logged.date, logged.hours, logged.fee, logged.people_id,
    logged.project_id
  FROM staging.logged_time AS records
  JOIN logged ON logged.logged_time_id = records.logged_time_id
  UNION ALL
  SELECT 'project_tasks', CAST(task_meta_id AS VARCHAR), 'phase_id', 'phase', phase_id, NULL, NULL, NULL, NULL, project_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'project_team.phase_id', 'phase', phase_id, NULL, NULL, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'milestones', CAST(milestone_id AS VARCHAR), 'phase_id', 'phase', phase_id, date, NULL, NULL, NULL, project_id
  FROM staging.milestones
  WHERE project_id <> 0
)
SELECT DISTINCT
  'warning' AS severity,
  naming.resource,
  naming.id,
  naming.date,
  naming.field || ' ' || CAST(naming.part_id AS VARCHAR) || ' is of project ' || CAST(parts.part_project_id AS VARCHAR) || ', not of project '
    || CAST(naming.project_id AS VARCHAR) || ': it counts for nothing' AS detail,
  naming.hours,
  naming.fee AS amount_at_risk,
  naming.people_id,
  naming.project_id
FROM naming
JOIN parts ON parts.kind = naming.kind AND parts.part_id = naming.part_id
WHERE NOT pl_is_part_of(parts.part_project_id, naming.project_id)
