-- One row per logged-time record dated before its project starts or after it ends. It counts: dates of a project change no number.
-- says: time logged outside the dates of its project
-- remedy: Correct the date or the project of the time, or the dates of the project.
SELECT
  'warning' AS severity,
  'logged_time' AS resource,
  ledger.logged_time_id AS id,
  ledger.date,
  'project ' || CAST(ledger.project_id AS VARCHAR)
    || CASE
      WHEN ledger.date < projects.start_date THEN ' starts on ' || CAST(projects.start_date AS VARCHAR)
      ELSE ' ends on ' || CAST(projects.end_date AS VARCHAR)
    END AS detail,
  ledger.hours,
  ledger.cost AS amount_at_risk,
  ledger.people_id,
  ledger.project_id
FROM core.ledger
JOIN staging.projects ON projects.project_id = ledger.project_id
WHERE ledger.kind = pl_line_kind('actual') AND (ledger.date < projects.start_date OR ledger.date > projects.end_date)
