-- One row per expense, and per kind, month, project, phase, project task, status and billability of other ledger lines: their sums.
-- stored: table
-- A report that asks for nothing finer reads these sums for whole months, and single lines only for the other days of its window. A budget
-- covers the whole life of a project, so it reads them, too. Sums of costs or fees are null if no line has one, and line_count tells
-- that from no lines (R5). cost_rounded_off and fee_rounded_off are the exact products of hours and rates less
-- the rounded amounts; null without a rate, for expenses, and for fees of work that isn't billable.
-- The casts narrow the sums, because DuckDB reads stored 128-bit numbers slowly. An expense has a row of its own, because the sum of two
-- may not fit. A sum of labour fits up to 10,000 days of 24 hours at the highest rate.
SELECT
  kind,
  month,
  project_id,
  phase_id,
  task_meta_id,
  status,
  billable,
  project_expense_id,
  CAST(SUM(hours) AS DECIMAL(18, 4)) AS hours,
  CAST(SUM(cost) AS DECIMAL(18, 4)) AS cost,
  CAST(SUM(fee) AS DECIMAL(18, 4)) AS fee,
  CAST(SUM(hours * cost_rate) - SUM(cost) AS DECIMAL(18, 8)) AS cost_rounded_off,
  CAST(SUM(CASE WHEN billable THEN hours * bill_rate END) - SUM(fee) AS DECIMAL(18, 8)) AS fee_rounded_off,
  CAST(SUM(CASE WHEN cost_rate_source = 'none' THEN hours END) AS DECIMAL(18, 4)) AS hours_without_cost_rate,
  CAST(SUM(CASE WHEN fee IS NULL THEN hours END) AS DECIMAL(18, 4)) AS hours_without_bill_rate,
  CAST(COUNT(*) AS INTEGER) AS line_count
FROM core.ledger
GROUP BY kind, month, project_id, phase_id, task_meta_id, status, billable, project_expense_id
ORDER BY kind, month, project_id, phase_id
