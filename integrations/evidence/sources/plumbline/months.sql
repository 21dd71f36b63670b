-- Hours and fees by month. DuckDB sums exact decimals here; Evidence turns each number into a float.
SELECT
  month,
  SUM(CASE WHEN kind = 'scheduled' AND status IN ('confirmed', 'completed') THEN hours ELSE 0 END) AS scheduled_hours,
  SUM(CASE WHEN kind = 'actual' THEN hours ELSE 0 END) AS actual_hours,
  SUM(CASE WHEN kind = 'actual' THEN fee ELSE 0 END) AS actual_fees
FROM marts.lines
GROUP BY month
ORDER BY month
