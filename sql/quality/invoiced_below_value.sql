-- One row per project whose billed work is worth 1.00 of the major unit more than the invoices and write-offs that cover it, or beyond (M5).
-- says: work that is invoiced below its value
-- remedy: Write the difference off, or invoice it.
-- tells_of: projects
WITH sums AS (
  SELECT project_id, MAX(date) AS date, SUM(difference) AS difference
  FROM core.billing_days
  GROUP BY project_id
)
SELECT
  'notice' AS severity,
  'projects' AS resource,
  CAST(project_id AS VARCHAR) AS id,
  date AS date,
  'billed work is worth more than the invoices and write-offs that cover it' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(difference AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id AS project_id
FROM sums
WHERE difference >= 1
