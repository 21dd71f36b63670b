-- Adds the sums of ledger lines by month, which reports read instead of the lines of whole months.
-- Written out, because the model may change after this format.
CREATE TABLE core.ledger_months AS
SELECT
  kind,
  month,
  project_id,
  phase_id,
  task_meta_id,
  status,
  billable,
  project_expense_id,
  CAST(NULL AS VARCHAR) AS long_line,
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
ORDER BY kind, month, project_id, phase_id;
