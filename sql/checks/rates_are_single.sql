-- Everybody has each range of rates once on each project and phase in the mart of rates: none is missing or repeated.
-- checked: builds
WITH ranges AS (
  SELECT people_id, COUNT(*) AS row_count
  FROM core.person_rates
  GROUP BY people_id
),
assignments AS (
  SELECT people_id, COUNT(*) AS row_count
  FROM core.assignments
  GROUP BY people_id
),
rates AS (
  SELECT people_id, COUNT(*) AS row_count
  FROM marts.rates
  GROUP BY people_id
)
SELECT assignments.people_id, assignments.row_count * ranges.row_count AS expected_count, rates.row_count
FROM assignments
JOIN ranges ON ranges.people_id = assignments.people_id
LEFT JOIN rates ON rates.people_id = assignments.people_id
WHERE COALESCE(rates.row_count, 0) <> assignments.row_count * ranges.row_count
