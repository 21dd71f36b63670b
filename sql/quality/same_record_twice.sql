-- One row per logged-time record that another one equals in person, day, project, phase, task, hours and notes.
-- The first of them has no hours and no amount here, since only the others may count too often.
WITH records AS (
  SELECT
    ledger.logged_time_id,
    ledger.date,
    ledger.hours,
    ledger.cost,
    ledger.people_id,
    ledger.project_id,
    COUNT(*) OVER (
      PARTITION BY ledger.people_id, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.task_id, ledger.hours, logged_time.notes
    ) AS equal_count,
    MIN(ledger.logged_time_id) OVER (
      PARTITION BY ledger.people_id, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.task_id, ledger.hours, logged_time.notes
    ) AS first_id
  FROM core.ledger
  JOIN staging.logged_time ON logged_time.logged_time_id = ledger.logged_time_id
  WHERE ledger.kind = pl_line_kind('actual')
)
SELECT
  'warning' AS severity,
  'logged_time' AS resource,
  logged_time_id AS id,
  date,
  CASE
    WHEN logged_time_id = first_id THEN 'equal records besides it: ' || CAST(equal_count - 1 AS VARCHAR)
    ELSE 'equals ' || first_id || ' in person, day, project, phase, task, hours and notes'
  END AS detail,
  CASE WHEN logged_time_id <> first_id THEN hours END AS hours,
  CASE WHEN logged_time_id <> first_id THEN cost END AS amount_at_risk,
  people_id,
  project_id
FROM records
WHERE equal_count > 1
