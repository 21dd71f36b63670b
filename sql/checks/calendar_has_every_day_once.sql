-- The calendar has every day once, without gaps, from the first line to the last.
-- checked: builds
WITH days AS (
  SELECT date, COUNT(*) AS row_count
  FROM marts.calendar
  GROUP BY date
),
ordered AS (
  SELECT date, row_count, LEAD(date) OVER (ORDER BY date) AS next_date
  FROM days
),
ends AS (
  SELECT MIN(date) AS date FROM core.ledger
  UNION
  SELECT MAX(date) AS date FROM core.ledger
),
outside AS (
  SELECT ends.date
  FROM ends
  LEFT JOIN days ON days.date = ends.date
  WHERE ends.date IS NOT NULL AND days.date IS NULL
)
SELECT date, row_count, next_date
FROM ordered
WHERE row_count > 1 OR next_date <> pl_add_days(date, 1)
UNION ALL
SELECT date, 0 AS row_count, NULL AS next_date
FROM outside
