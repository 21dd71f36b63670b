-- The mart of rates has every day once for everybody on each project and phase: none is missing or repeated.
-- checked: builds
WITH assignments AS (
  SELECT people_id, COUNT(*) AS row_count
  FROM (SELECT DISTINCT people_id, project_id, phase_id FROM core.assignments) AS places
  GROUP BY people_id
),
rates AS (
  SELECT people_id, SUM(pl_days_between(first_date, last_date) + 1) AS day_count
  FROM marts.rates
  GROUP BY people_id
)
SELECT
  assignments.people_id,
  assignments.row_count * pl_days_between(pl_first_day(), pl_after_last_day()) AS expected_days,
  rates.day_count
FROM assignments
LEFT JOIN rates ON rates.people_id = assignments.people_id
WHERE COALESCE(rates.day_count, 0) <> assignments.row_count * pl_days_between(pl_first_day(), pl_after_last_day())
