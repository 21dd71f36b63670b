-- The sums of ledger lines by month are those of the lines.
-- checked: core.ledger by project_id, month
SELECT
  project_id,
  month,
  kind,
  status,
  billable,
  SUM(hours) AS more_hours,
  SUM(cost) AS more_cost,
  SUM(fee) AS more_fees,
  SUM(cost_rounded_off) AS more_cost_rounded_off,
  SUM(fee_rounded_off) AS more_fees_rounded_off,
  SUM(hours_without_cost_rate) AS more_hours_without_cost_rate,
  SUM(hours_without_bill_rate) AS more_hours_without_bill_rate,
  SUM(line_count) AS more_lines,
  MAX(line_date) AS last_line,
  MAX(last_date) AS last_date
FROM (
  SELECT
    project_id,
    month,
    kind,
    status,
    billable,
    hours,
    cost,
    fee,
    pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off,
    CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off,
    CASE WHEN cost_rate_source = 'none' THEN hours END AS hours_without_cost_rate,
    CASE WHEN fee IS NULL THEN hours END AS hours_without_bill_rate,
    1 AS line_count,
    date AS line_date,
    CAST(NULL AS DATE) AS last_date
  FROM core.ledger
  UNION ALL
  SELECT
    project_id,
    month,
    kind,
    status,
    billable,
    -hours,
    -cost,
    -fee,
    -cost_rounded_off,
    -fee_rounded_off,
    -hours_without_cost_rate,
    -hours_without_bill_rate,
    -line_count,
    NULL AS line_date,
    last_date
  FROM core.ledger_months
) AS compared
GROUP BY project_id, month, kind, status, billable
HAVING SUM(line_count) <> 0
  OR SUM(hours) <> 0
  OR SUM(cost) <> 0
  OR SUM(fee) <> 0
  OR SUM(cost_rounded_off) <> 0
  OR SUM(fee_rounded_off) <> 0
  OR SUM(hours_without_cost_rate) <> 0
  OR SUM(hours_without_bill_rate) <> 0
  OR MAX(line_date) <> MAX(last_date)
