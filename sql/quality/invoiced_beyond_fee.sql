-- One row per project with agreed fees of which more is invoiced than all of them are (N3). Expenses that are billed beside a fee count, too.
-- says: projects that are invoiced beyond their agreed fees
-- remedy: Agree a higher fee, or credit what is beyond it.
-- tells_of: projects
WITH agreed AS (
  SELECT project_id, MAX(level) AS level, SUM(agreed_fee) AS agreed_fee
  FROM core.places
  GROUP BY project_id
),
lines AS (
  SELECT project_id, SUM(CASE WHEN contract = 'time' AND billable THEN earned_fee ELSE 0 END) AS earned_fee
  FROM core.earning_lines
  WHERE project_id IN (SELECT project_id FROM core.billing_lines)
  GROUP BY project_id
),
invoiced AS (
  SELECT project_id, MAX(date) AS date, SUM(amount) AS amount
  FROM core.billing_lines
  WHERE kind = pl_line_kind('invoice') AND status = pl_line_status('confirmed')
  GROUP BY project_id
)
SELECT
  'notice' AS severity,
  'projects' AS resource,
  CAST(invoiced.project_id AS VARCHAR) AS id,
  invoiced.date AS date,
  'more is invoiced than the agreed fees and the work beside them' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  CAST(invoiced.amount - agreed.agreed_fee - COALESCE(lines.earned_fee, 0) AS DECIMAL(38, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  invoiced.project_id AS project_id
FROM invoiced
JOIN agreed ON agreed.project_id = invoiced.project_id
LEFT JOIN lines ON lines.project_id = invoiced.project_id
WHERE invoiced.amount > agreed.agreed_fee + COALESCE(lines.earned_fee, 0)
