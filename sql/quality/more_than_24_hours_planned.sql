-- One row per allocation and person with days on which all allocations of that person add up to more than 24 hours.
-- says: more than 24 hours planned for a day
-- remedy: Remove what is planned twice, or move it.
-- tells_of: people
WITH planned AS (
  SELECT task_id, people_id, project_id, date, hours, cost, SUM(hours) OVER (PARTITION BY people_id, date) AS hours_of_day
  FROM core.ledger
  WHERE kind = pl_line_kind('scheduled') AND status <> pl_line_status('canceled')
)
SELECT
  'warning' AS severity,
  'tasks' AS resource,
  CAST(task_id AS VARCHAR) AS id,
  MIN(date) AS date,
  'person ' || CAST(people_id AS VARCHAR) || ' has more than 24 hours planned on ' || CAST(COUNT(*) AS VARCHAR)
    || CASE COUNT(*) WHEN 1 THEN ' day' ELSE ' days' END || ' of it' AS detail,
  SUM(hours) AS hours,
  SUM(cost) AS amount_at_risk,
  people_id,
  project_id
FROM planned
WHERE hours_of_day > 24
GROUP BY task_id, people_id, project_id
