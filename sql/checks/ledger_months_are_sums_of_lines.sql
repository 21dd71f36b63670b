-- The sums of ledger lines by month are those of the lines.
-- checked: core.ledger by project_id, month
SELECT project_id, month, SUM(hours) AS more_hours, SUM(cost) AS more_cost, SUM(fee) AS more_fees, SUM(line_count) AS more_lines
FROM (
  SELECT project_id, month, hours, cost, fee, 1 AS line_count
  FROM core.ledger
  UNION ALL
  SELECT project_id, month, -hours, -cost, -fee, -line_count
  FROM core.ledger_months
) AS compared
GROUP BY project_id, month
HAVING SUM(line_count) <> 0 OR COALESCE(SUM(hours), 0) <> 0 OR COALESCE(SUM(cost), 0) <> 0 OR COALESCE(SUM(fee), 0) <> 0
