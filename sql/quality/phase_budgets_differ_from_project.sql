-- One row per project budgeted by phase whose own total isn't the sum of its phases. The sum of the phases counts.
-- says: budgets that differ from the sum of their phases
-- remedy: Correct the budget of the project or of a phase; the phases count.
WITH sums AS (
  SELECT project_id, SUM(budget_total) AS budget_total
  FROM staging.phases
  WHERE budget_total IS NOT NULL
  GROUP BY project_id
)
SELECT
  'warning' AS severity,
  'projects' AS resource,
  CAST(projects.project_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'budget ' || pl_plain_decimal(projects.budget_total) || '; the sum of its phases is ' || pl_plain_decimal(sums.budget_total) AS detail,
  CASE WHEN projects.budget_type = 1 THEN CAST(ABS(projects.budget_total - sums.budget_total) AS DECIMAL(38, 6)) END AS hours,
  CASE WHEN projects.budget_type > 1 THEN ABS(projects.budget_total - sums.budget_total) END AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  projects.project_id
FROM staging.projects
JOIN sums ON sums.project_id = projects.project_id
WHERE projects.budget_priority = 1 AND projects.budget_type > 0 AND projects.budget_total <> sums.budget_total
