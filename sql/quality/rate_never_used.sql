-- One row per bill rate of a project or phase from a day after its end.
-- says: bill rates from after the end
-- remedy: Correct the date of the rate or of the end.
WITH ended AS (
  SELECT 'project' AS level, project_id AS id, project_id, end_date
  FROM staging.projects
  UNION ALL
  SELECT 'phase' AS level, phase_id AS id, project_id, end_date
  FROM staging.phases
)
SELECT
  'notice' AS severity,
  ended.level || 's' AS resource,
  CAST(ended.id AS VARCHAR) AS id,
  bill_rates.valid_from AS date,
  'a bill rate takes effect after the ' || ended.level || ' ends on ' || CAST(ended.end_date AS VARCHAR) AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  ended.project_id
FROM ended
JOIN staging.bill_rates ON bill_rates.level = ended.level AND bill_rates.id = ended.id AND bill_rates.valid_from > ended.end_date
