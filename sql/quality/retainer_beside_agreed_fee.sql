-- One row per retainer of a project or phase where a fee is agreed, too: the work uses the retainer, and the agreed fee counts for nothing (K1).
-- says: retainers beside agreed fees
-- remedy: End one of them: the retainer, or the capped or fixed contract.
WITH budgets AS (
  SELECT project_id, 0 AS phase_id, 0 AS budget_priority, budget_total
  FROM staging.projects
  UNION ALL
  SELECT project_id, phase_id, 1 AS budget_priority, budget_total
  FROM staging.phases
  UNION ALL
  SELECT project_id, phase_id, 2 AS budget_priority, budget AS budget_total
  FROM core.project_tasks
),
agreed AS (
  SELECT budgets.project_id, budgets.phase_id, budgets.budget_total
  FROM budgets
  JOIN staging.projects ON projects.project_id = budgets.project_id AND projects.budget_priority = budgets.budget_priority
  LEFT JOIN staging.phases ON phases.phase_id = budgets.phase_id
  WHERE COALESCE(projects.budget_type, 0) <> 1
    AND budgets.budget_total IS NOT NULL
    AND COALESCE(phases.contract, projects.contract, CASE WHEN projects.budget_type = 2 THEN 'fixed' END) IN ('capped', 'fixed')
)
SELECT
  'warning' AS severity,
  'retainers' AS resource,
  CAST(retainers.retainer_id AS VARCHAR) AS id,
  retainers.start_date AS date,
  'an agreed fee beside the retainer is not used' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(SUM(agreed.budget_total) AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  retainers.project_id
FROM staging.retainers
JOIN agreed ON agreed.project_id = retainers.project_id AND (retainers.phase_id = 0 OR retainers.phase_id = agreed.phase_id)
GROUP BY retainers.retainer_id, retainers.start_date, retainers.project_id
