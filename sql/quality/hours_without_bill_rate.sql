-- One row per line with billable hours and no bill rate: the fee is unknown, not 0 (R5).
-- says: no bill rate
-- remedy: Give the person, the role, the phase or the project a bill rate.
SELECT
  'error' AS severity,
  CASE kind WHEN 'scheduled' THEN 'tasks' ELSE 'logged_time' END AS resource,
  CASE kind WHEN 'scheduled' THEN CAST(task_id AS VARCHAR) ELSE logged_time_id END AS id,
  date,
  kind || ' billable hours of person ' || CAST(people_id AS VARCHAR) || ' have no bill rate at any level' AS detail,
  hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  project_id
FROM marts.ledger
WHERE kind <> pl_line_kind('expense') AND status <> pl_line_status('canceled') AND fee IS NULL
