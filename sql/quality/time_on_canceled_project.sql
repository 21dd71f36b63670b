-- One row per logged-time record on a canceled project: it still counts as actual (S1).
-- says: time logged on canceled projects
-- remedy: Move the time to another project, or reopen this one.
SELECT
  'warning' AS severity,
  'logged_time' AS resource,
  ledger.logged_time_id AS id,
  ledger.date,
  'project ' || CAST(ledger.project_id AS VARCHAR) || ' is canceled' AS detail,
  ledger.hours,
  ledger.cost AS amount_at_risk,
  ledger.people_id,
  ledger.project_id
FROM core.ledger
JOIN staging.projects ON projects.project_id = ledger.project_id
WHERE ledger.kind = pl_line_kind('actual') AND projects.status = 4
