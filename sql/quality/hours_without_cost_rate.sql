-- One row per line with hours and no cost rate: the cost is unknown, not 0 (R5).
-- says: no cost rate
-- remedy: Give the person a contract with a cost rate from that day, or the role a cost rate.
SELECT
  'error' AS severity,
  CASE kind WHEN 'scheduled' THEN 'tasks' ELSE 'logged_time' END AS resource,
  CASE kind WHEN 'scheduled' THEN CAST(task_id AS VARCHAR) ELSE logged_time_id END AS id,
  date,
  kind || ' hours of person ' || CAST(people_id AS VARCHAR) || ' have no cost rate, neither the person''s nor a role''s' AS detail,
  hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  project_id
FROM marts.ledger
WHERE kind <> pl_line_kind('expense') AND status <> pl_line_status('canceled') AND cost IS NULL
