-- One row per expense, and per kind, month, project, phase, project task, status and billability of other ledger lines: their sums.
-- stored: table
-- A report that asks for nothing finer reads these sums for whole months, and single lines only for the other days of its window. A budget
-- covers the whole life of a project, so it reads them, too. Sums of costs or fees are null if no line has one, and line_count tells
-- that from no lines (R5). cost_rounded_off and fee_rounded_off are the exact products of hours and rates less
-- the rounded amounts; null without a rate, for expenses, and for fees of work that isn't billable.
-- The casts narrow the sums, because DuckDB reads stored 128-bit numbers slowly. An expense, and a line of labour with a hundred million or
-- more (long_line), has a row of its own, because the sum of some may not fit. The sum of a million others does.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
-- hides: cost, cost_rounded_off, long_line
SELECT
  kind,
  month,
  project_id,
  phase_id,
  task_meta_id,
  status,
  billable,
  project_expense_id,
  long_line,
  MAX(date) AS last_date,
  CAST(SUM(hours) AS DECIMAL(18, 6)) AS hours,
  CAST(SUM(cost) AS DECIMAL(18, 4)) AS cost,
  CAST(SUM(fee) AS DECIMAL(18, 4)) AS fee,
  CAST(SUM(pl_rounded_off(hours, cost_rate, cost)) AS DECIMAL(18, 10)) AS cost_rounded_off,
  CAST(SUM(CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END) AS DECIMAL(18, 10)) AS fee_rounded_off,
  CAST(SUM(CASE WHEN cost_rate_source = 'none' THEN hours END) AS DECIMAL(18, 6)) AS hours_without_cost_rate,
  CAST(SUM(CASE WHEN fee IS NULL THEN hours END) AS DECIMAL(18, 6)) AS hours_without_bill_rate,
  CAST(COUNT(*) AS INTEGER) AS line_count
FROM (
  SELECT
    *,
    CASE
      WHEN kind <> pl_line_kind('expense') AND (cost >= 100000000 OR fee >= 100000000)
        THEN COALESCE(logged_time_id, CAST(task_id AS VARCHAR) || ':' || CAST(people_id AS VARCHAR) || ':' || CAST(date AS VARCHAR))
    END AS long_line
  FROM core.ledger
) AS lines
GROUP BY kind, month, project_id, phase_id, task_meta_id, status, billable, project_expense_id, long_line
ORDER BY kind, month, project_id, phase_id
