-- One row per project or phase whose contract counts nowhere (K1): no budget stands on it or below it, by the priority of the budgets.
-- An internal one counts all the same where it makes its own work non-billable.
-- says: contracts on records where no budget stands
-- remedy: Say the contract where the budget stands, by budget_priority: on the project, its phases, or a phase with project tasks; or change the priority.
WITH counts AS (
  SELECT
    projects.project_id,
    COUNT(DISTINCT phases.phase_id) AS phases,
    COUNT(DISTINCT project_tasks.task_meta_id) AS project_tasks
  FROM staging.projects
  LEFT JOIN staging.phases ON phases.project_id = projects.project_id
  LEFT JOIN core.project_tasks ON project_tasks.project_id = projects.project_id
  WHERE projects.contract IS NOT NULL AND projects.budget_priority > 0
  GROUP BY projects.project_id
),
phase_counts AS (
  SELECT phase_id, COUNT(*) AS project_tasks
  FROM core.project_tasks
  GROUP BY phase_id
)
SELECT
  'warning' AS severity,
  'projects' AS resource,
  CAST(projects.project_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'contract ' || projects.contract || CASE WHEN projects.budget_priority = 1 THEN ': budgets stand on phases, and it has none'
    ELSE ': budgets stand on project tasks, and it has none' END AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(NULL AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  projects.project_id
FROM staging.projects
JOIN counts ON counts.project_id = projects.project_id
WHERE projects.contract <> 'internal' AND CASE WHEN projects.budget_priority = 1 THEN counts.phases = 0 ELSE counts.project_tasks = 0 END
UNION ALL
SELECT
  'warning' AS severity,
  'phases' AS resource,
  CAST(phases.phase_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'contract ' || phases.contract || CASE WHEN projects.budget_priority = 0 THEN ': the budget stands on the project'
    ELSE ': budgets stand on project tasks, and it has none' END AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(NULL AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  phases.project_id
FROM staging.phases
JOIN staging.projects ON projects.project_id = phases.project_id
LEFT JOIN phase_counts ON phase_counts.phase_id = phases.phase_id
WHERE phases.contract IS NOT NULL
  AND (projects.budget_priority = 0 OR (projects.budget_priority = 2 AND phases.contract <> 'internal' AND phase_counts.phase_id IS NULL))
