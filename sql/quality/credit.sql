-- One row per project whose credits, expenses with a cost below 0, exceed its other expenses: in what is billed of them, or else in their cost; and
-- one per refund that leaves revenue: it takes back less than its cost, as a fixed markup above 0 is added to it (A3).
-- The detail leaves out the amounts, because everyone may read it.
-- says: credits that exceed the other expenses of their project, or leave revenue
-- remedy: Correct the sign, the amount, the markup or the project of the credit, or load the expense that it refunds. A fixed markup below 0 takes the markup back.
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
  CASE
    WHEN sums.fee < 0 THEN 'credits exceed what is billed of the expenses'
    WHEN sums.fee > 0 THEN 'credits exceed the cost of the expenses, and leave revenue'
    ELSE 'credits exceed the cost of the expenses'
  END AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CASE WHEN sums.fee < 0 THEN -sums.fee ELSE sums.fee - sums.cost END AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  sums.project_id
FROM sums
WHERE sums.fee < 0 OR sums.cost < 0
UNION ALL
SELECT
  'notice' AS severity,
  'project_expenses' AS resource,
  CAST(refunds.project_expense_id AS VARCHAR) AS id,
  refunds.date,
  'a refund leaves revenue, because its fixed markup is not below 0' AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  refunds.fee - refunds.cost AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  refunds.project_id
FROM core.expenses AS refunds
WHERE refunds.billable AND refunds.cost < 0 AND refunds.fee > refunds.cost
