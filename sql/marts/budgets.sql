-- One row per project, phase or project task with a budget; level says which.
-- stored: table
-- Budget priority 0: the project's own total. 1: each phase has its own, and the project has their sum. 2: each project task has its own, and phase
-- and project have their sums. A budget needs a type and a value.
-- key: level, project_id, phase_id, task_meta_id
-- refers: project_id projects, phase_id phases, task_meta_id project_tasks
-- part: projects
WITH parts AS (
  SELECT project_id, 0 AS phase_id, 0 AS task_meta_id, 0 AS budget_priority, budget_total
  FROM staging.projects
  UNION ALL
  SELECT project_id, phase_id, 0 AS task_meta_id, 1 AS budget_priority, budget_total
  FROM staging.phases
  UNION ALL
  SELECT project_id, phase_id, task_meta_id, 2 AS budget_priority, budget AS budget_total
  FROM core.project_tasks
),
counted AS (
  SELECT
    parts.project_id,
    parts.phase_id,
    parts.task_meta_id,
    parts.budget_priority,
    parts.budget_total,
    projects.budget_type
  FROM parts
  JOIN staging.projects ON projects.project_id = parts.project_id AND projects.budget_priority = parts.budget_priority
  WHERE projects.budget_type > 0 AND parts.budget_total IS NOT NULL
),
levels AS (
  SELECT 'project' AS level, project_id, 0 AS phase_id, 0 AS task_meta_id, budget_type, SUM(budget_total) AS budget_total
  FROM counted
  GROUP BY project_id, budget_type
  UNION ALL
  SELECT 'phase' AS level, project_id, phase_id, 0 AS task_meta_id, budget_type, SUM(budget_total) AS budget_total
  FROM counted
  WHERE budget_priority > 0
  GROUP BY project_id, phase_id, budget_type
  UNION ALL
  SELECT 'task' AS level, project_id, phase_id, task_meta_id, budget_type, budget_total
  FROM counted
  WHERE budget_priority = 2
)
SELECT
  levels.level,
  levels.project_id,
  levels.phase_id,
  levels.task_meta_id,
  levels.budget_type,
  CASE WHEN levels.budget_type = 1 THEN 'hours' ELSE settings.currency END AS budget_unit,
  levels.budget_total
FROM levels
CROSS JOIN core.settings
