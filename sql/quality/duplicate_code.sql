-- One row per project or person whose code another project or person has, too, ignoring case.
-- says: codes used more than once
-- remedy: Give each project and person its own code.
-- tells_of: records
WITH codes AS (
  SELECT 'projects' AS resource, project_id AS record_id, project_code AS code, CAST(NULL AS BIGINT) AS people_id, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'people' AS resource, people_id AS record_id, people_code AS code, people_id, CAST(NULL AS BIGINT) AS project_id
  FROM staging.people
),
counted AS (
  SELECT resource, record_id, code, people_id, project_id, COUNT(*) OVER (PARTITION BY resource, LOWER(code)) AS code_count
  FROM codes
  WHERE code IS NOT NULL
)
SELECT
  'warning' AS severity,
  resource,
  CAST(record_id AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'code ' || code || ' is used ' || CAST(code_count AS VARCHAR) || ' times' AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  project_id
FROM counted
WHERE code_count > 1
