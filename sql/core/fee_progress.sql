-- One row per project, phase or project task, and day with an entry of its progress: the one that holds, of several that with the latest id (G1).
-- Lines of the days after date_before, up to its own, are earned by it.
-- stored: table
-- Some are no places (core.places), or earn otherwise: their entries count for nothing.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH entries AS (
  SELECT
    project_id,
    CASE WHEN task_meta_id IS NULL THEN COALESCE(phase_id, 0) ELSE 0 END AS phase_key,
    COALESCE(task_meta_id, 0) AS task_key,
    date,
    progress_id,
    percent,
    remaining_hours
  FROM staging.progress
),
latest AS (
  SELECT MAX(progress_id) AS progress_id
  FROM entries
  GROUP BY project_id, phase_key, task_key, date
)
SELECT
  entries.project_id,
  entries.phase_key,
  entries.task_key,
  entries.date,
  LAG(entries.date) OVER (PARTITION BY entries.project_id, entries.phase_key, entries.task_key ORDER BY entries.date) AS date_before,
  entries.progress_id,
  entries.percent,
  entries.remaining_hours
FROM latest
JOIN entries ON entries.progress_id = latest.progress_id
