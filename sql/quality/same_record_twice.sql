-- One row per logged-time record that another one equals in person, day, project, phase, task, hours and notes.
-- The first of them has no hours and no amount here, since only the others may count too often.
-- The notes are read only of records that another one equals in person, day, project and hours: those of all take 1 GiB for 2.4 million.
-- says: time logged twice, record by record the same
-- remedy: Delete the second record, or note what tells them apart.
WITH counted AS (
  SELECT
    logged_time_id, date, hours, cost, people_id, project_id, phase_id, task_meta_id, task_id,
    COUNT(*) OVER (PARTITION BY people_id, date, project_id, hours) AS alike_count
  FROM core.ledger
  WHERE kind = pl_line_kind('actual')
),
candidates AS (
  SELECT *
  FROM counted
  WHERE alike_count > 1
),
records AS (
  SELECT
    candidates.*,
    COUNT(*) OVER (
      PARTITION BY candidates.people_id, candidates.date, candidates.project_id, candidates.phase_id, candidates.task_meta_id, candidates.task_id,
        candidates.hours, logged_time.notes
    ) AS equal_count,
    MIN(candidates.logged_time_id) OVER (
      PARTITION BY candidates.people_id, candidates.date, candidates.project_id, candidates.phase_id, candidates.task_meta_id, candidates.task_id,
        candidates.hours, logged_time.notes
    ) AS first_id
  FROM candidates
  JOIN staging.logged_time ON logged_time.logged_time_id = candidates.logged_time_id
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
