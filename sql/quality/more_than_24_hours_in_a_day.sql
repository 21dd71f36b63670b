-- One row per person and day with more than 24 logged hours.
-- says: more than 24 hours logged in a day
-- remedy: Correct the hours or the dates of the logged time.
SELECT
  'error' AS severity,
  'people' AS resource,
  CAST(people_id AS VARCHAR) AS id,
  date,
  CAST(COUNT(*) AS VARCHAR) || ' logged-time records add up to more than 24 hours' AS detail,
  SUM(hours) AS hours,
  SUM(cost) AS amount_at_risk,
  people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM core.ledger
WHERE kind = pl_line_kind('actual')
GROUP BY people_id, date
HAVING SUM(hours) > 24
