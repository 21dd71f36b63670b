-- One row per record, or item of a project's team, and phase or project task of another project that it names (D9).
-- stored: table at rest
-- Stored, as an engine that knows how few they are looks up only their lines; else it joins all lines with all records, in 1.7 GiB for 2.4 million.
WITH parts AS (
  SELECT 'phase' AS kind, phase_id AS part_id, project_id AS part_project_id
  FROM staging.phases
  UNION ALL
  SELECT 'project task', task_meta_id, project_id
  FROM staging.project_tasks
),
naming AS (
  SELECT 'tasks' AS resource, CAST(task_id AS VARCHAR) AS id, 'phase_id' AS field, 'phase' AS kind, phase_id AS part_id,
    start_date AS date, CAST(NULL AS DECIMAL(10, 6)) AS hours, CAST(NULL AS BIGINT) AS people_id, project_id
  FROM staging.allocations
  UNION ALL
  SELECT 'tasks', CAST(task_id AS VARCHAR), 'task_meta_id', 'project task', task_meta_id, start_date, NULL, NULL, project_id
  FROM staging.allocations
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'phase_id', 'phase', own_phase_id, date, hours, people_id, project_id
  FROM core.logged_time
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'task_meta_id', 'project task', own_task_meta_id, date, hours, people_id, project_id
  FROM core.logged_time
  UNION ALL
  SELECT 'project_tasks', CAST(task_meta_id AS VARCHAR), 'phase_id', 'phase', phase_id, NULL, NULL, NULL, project_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'project_team.phase_id', 'phase', phase_id, NULL, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'milestones', CAST(milestone_id AS VARCHAR), 'phase_id', 'phase', phase_id, date, NULL, NULL, project_id
  FROM staging.milestones
  WHERE project_id <> 0
  UNION ALL
  SELECT 'progress', CAST(progress_id AS VARCHAR), 'phase_id', 'phase', phase_id, date, NULL, NULL, project_id
  FROM staging.progress
  UNION ALL
  SELECT 'progress', CAST(progress_id AS VARCHAR), 'task_meta_id', 'project task', task_meta_id, date, NULL, NULL, project_id
  FROM staging.progress
  UNION ALL
  SELECT 'retainers', CAST(retainer_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), start_date, NULL, NULL, project_id
  FROM staging.retainers
)
SELECT DISTINCT
  naming.resource,
  naming.id,
  naming.field,
  naming.part_id,
  parts.part_project_id,
  naming.date,
  naming.hours,
  naming.people_id,
  naming.project_id
FROM naming
JOIN parts ON parts.kind = naming.kind AND parts.part_id = naming.part_id
WHERE NOT pl_is_part_of(parts.part_project_id, naming.project_id)
