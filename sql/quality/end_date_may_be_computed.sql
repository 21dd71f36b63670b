-- One row per project with a fixed fee that would end on, or be spread up to, a day that the source may have computed (K3).
-- tells_of: projects
-- says: ends of projects that the source may have computed from their lines: no fixed fee ends on them
-- remedy: Set another end_date at the source, complete the project, or give its phases ends of their own.
WITH fees AS (
  SELECT places.project_id, SUM(places.agreed_fee) AS agreed_fee
  FROM core.places
  WHERE places.contract = 'fixed' AND NOT places.is_canceled AND places.end_date IS NULL AND places.completed_on IS NULL
  GROUP BY places.project_id
)
SELECT
  'warning' AS severity,
  'projects' AS resource,
  CAST(doubtful_ends.project_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'end_date ' || CAST(doubtful_ends.end_date AS VARCHAR) || ' is the last day of its lines' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  fees.agreed_fee AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  doubtful_ends.project_id
FROM core.doubtful_ends
JOIN fees ON fees.project_id = doubtful_ends.project_id
