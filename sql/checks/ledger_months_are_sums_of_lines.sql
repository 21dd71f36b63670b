-- The sums of ledger lines by month are those of the lines.
-- checked: core.ledger by project_id, month
WITH compared AS (
  SELECT
    project_id,
    month,
    hours,
    cost,
    fee,
    hours * cost_rate AS exact_cost,
    CASE WHEN cost_rate IS NOT NULL THEN cost END AS priced_cost,
    CASE WHEN billable THEN hours * bill_rate END AS exact_fee,
    CASE WHEN billable AND bill_rate IS NOT NULL THEN fee END AS priced_fee,
    CASE WHEN cost_rate_source = 'none' THEN hours END AS hours_without_cost_rate,
    CASE WHEN fee IS NULL THEN hours END AS hours_without_bill_rate,
    1 AS line_count
  FROM core.ledger
  UNION ALL
  SELECT
    project_id,
    month,
    -hours,
    -cost,
    -fee,
    -cost_rounded_off,
    NULL,
    -fee_rounded_off,
    NULL,
    -hours_without_cost_rate,
    -hours_without_bill_rate,
    -line_count
  FROM core.ledger_months
),
differences AS (
  SELECT
    project_id,
    month,
    COALESCE(SUM(hours), 0) AS more_hours,
    COALESCE(SUM(cost), 0) AS more_cost,
    COALESCE(SUM(fee), 0) AS more_fees,
    COALESCE(SUM(exact_cost), 0) - COALESCE(SUM(priced_cost), 0) AS more_cost_rounded_off,
    COALESCE(SUM(exact_fee), 0) - COALESCE(SUM(priced_fee), 0) AS more_fees_rounded_off,
    COALESCE(SUM(hours_without_cost_rate), 0) AS more_hours_without_cost_rate,
    COALESCE(SUM(hours_without_bill_rate), 0) AS more_hours_without_bill_rate,
    SUM(line_count) AS more_lines
  FROM compared
  GROUP BY project_id, month
)
SELECT *
FROM differences
WHERE more_hours <> 0
  OR more_cost <> 0
  OR more_fees <> 0
  OR more_cost_rounded_off <> 0
  OR more_fees_rounded_off <> 0
  OR more_hours_without_cost_rate <> 0
  OR more_hours_without_bill_rate <> 0
  OR more_lines <> 0
