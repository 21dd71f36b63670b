-- One row per logged-time record on a canceled phase of a project that isn't canceled: it still counts as actual (S1), unlike the phase's plan.
-- says: time logged on canceled phases
-- remedy: Move the time to another phase, or reopen this one.
SELECT
  'warning' AS severity,
  'logged_time' AS resource,
  ledger.logged_time_id AS id,
  ledger.date,
  'phase ' || CAST(ledger.phase_id AS VARCHAR) || ' is canceled' AS detail,
  ledger.hours,
  ledger.cost AS amount_at_risk,
  ledger.people_id,
  ledger.project_id
FROM core.ledger
JOIN staging.phases ON phases.phase_id = ledger.phase_id
LEFT JOIN staging.projects ON projects.project_id = ledger.project_id
WHERE ledger.kind = pl_line_kind('actual') AND phases.status = 4 AND COALESCE(projects.status, 2) <> 4
