-- One row per project whose work earns another amount today than when it was billed (N2).
-- says: work that has changed since it was billed
-- remedy: Invoice or credit the difference, or write it off or up.
-- tells_of: projects
WITH sums AS (
  SELECT project_id, MAX(date) AS date, SUM(changed) AS changed
  FROM core.billing_days
  GROUP BY project_id
)
SELECT
  'notice' AS severity,
  'projects' AS resource,
  CAST(project_id AS VARCHAR) AS id,
  date AS date,
  'billed work earns another amount than when it was billed' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(changed AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id AS project_id
FROM sums
WHERE changed <> 0
