-- One row per project whose credits, expenses with a cost below 0, exceed its other expenses: in what is billed of them, or else in their cost (A3).
-- The detail leaves out the amounts, because everyone may read it.
WITH sums AS (
  SELECT project_id, SUM(cost) AS cost, SUM(fee) AS fee
  FROM core.expenses
  GROUP BY project_id
)
SELECT
  'notice' AS severity,
  'projects' AS resource,
  CAST(sums.project_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  CASE WHEN sums.fee < 0 THEN 'credits exceed what is billed of the expenses' ELSE 'credits exceed the cost of the expenses' END AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CASE WHEN sums.fee < 0 THEN -sums.fee ELSE -sums.cost END AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  sums.project_id
FROM sums
WHERE sums.fee < 0 OR sums.cost < 0
