-- One row per project with unbilled work that is more than 90 days old at the default cutoff (M3).
-- says: work that nobody has billed for more than 90 days
-- remedy: Invoice it, or write it off.
-- tells_of: projects
WITH sums AS (
  SELECT billing_days.project_id, MIN(CASE WHEN unbilled > 0 THEN billing_days.item_date END) AS date, SUM(unbilled) AS unbilled
  FROM core.billing_days
  CROSS JOIN marts.default_cutoff
  WHERE billing_days.date <= default_cutoff.cutoff_date AND pl_days_between(billing_days.item_date, default_cutoff.cutoff_date) > 90
  GROUP BY billing_days.project_id
)
SELECT
  'notice' AS severity,
  'projects' AS resource,
  CAST(project_id AS VARCHAR) AS id,
  date AS date,
  'billable work is not billed for more than 90 days' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(unbilled AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id AS project_id
FROM sums
WHERE unbilled > 0
