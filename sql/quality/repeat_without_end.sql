-- One row per allocation or time off that repeats without an end: it is taken to go on to the end of its project (time off: of its
-- person), or for 2 years (D2).
SELECT
  'notice' AS severity,
  'tasks' AS resource,
  CAST(task_id AS VARCHAR) AS id,
  start_date AS date,
  CASE
    WHEN project_end_date IS NULL THEN 'repeats without an end; counted for 2 years'
    ELSE 'repeats without an end; counted to the end of its project, ' || CAST(project_end_date AS VARCHAR)
  END AS detail,
  hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  project_id
FROM core.allocations
WHERE repeat_state > 0 AND repeat_end_date IS NULL AND status <> 'canceled'
UNION ALL
SELECT
  'notice' AS severity,
  'timeoffs' AS resource,
  CAST(timeoff_id AS VARCHAR) AS id,
  start_date AS date,
  'repeats without an end; counted to the end of the person''s employment, or for 2 years' AS detail,
  hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM staging.time_off
WHERE repeat_state > 0 AND repeat_end_date IS NULL AND status = 2
