-- One row per logged-time record dated after the day of the last load or change (D7): it counts once the cutoff reaches it.
-- says: time logged in the future
-- remedy: Correct the date, often its year; reports count the time once the cutoff reaches it.
SELECT
  'warning' AS severity,
  'logged_time' AS resource,
  ledger.logged_time_id AS id,
  ledger.date,
  'dated after ' || CAST(loaded_day.loaded_date AS VARCHAR) || ', the day of the last load or change' AS detail,
  ledger.hours,
  ledger.cost AS amount_at_risk,
  ledger.people_id,
  ledger.project_id
FROM core.ledger
CROSS JOIN core.loaded_day
WHERE ledger.kind = pl_line_kind('actual') AND ledger.date > loaded_day.loaded_date
