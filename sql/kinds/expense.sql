-- One row per expense: what was spent, and what of it is billed. S1: expenses are confirmed.
-- rank: 3
-- record: project_expenses project_expense_id BIGINT
-- line_id: e: project_expense_id
-- sorted: date
-- changes_with: project_id
-- closes: project_id, date, cost, billable, markup, markup_type
-- says: an expense
SELECT
  date,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS role_id,
  project_id,
  0 AS phase_id,
  CAST(NULL AS BIGINT) AS task_meta_id,
  CAST(NULL AS BIGINT) AS task_id,
  project_expense_id,
  pl_line_status('confirmed') AS status,
  billable,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS cost_rate,
  pl_cost_rate_source(NULL) AS cost_rate_source,
  cost,
  CAST(NULL AS DECIMAL(18, 4)) AS bill_rate,
  pl_bill_rate_source(NULL) AS bill_rate_source,
  CAST(NULL AS DATE) AS bill_rate_from,
  fee
FROM core.expenses
