-- One row per entry of progress that counts for nothing: of no project, phase or project task with a fixed fee that is earned by progress (G1).
-- says: entries of progress that count for nothing
-- remedy: Enter it where the budget stands, or agree a fixed fee there that is earned by progress.
SELECT
  'notice' AS severity,
  'progress' AS resource,
  CAST(fee_progress.progress_id AS VARCHAR) AS id,
  fee_progress.date,
  'no fixed fee is earned by this progress' AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  fee_progress.project_id
FROM core.fee_progress
LEFT JOIN core.places
  ON places.project_id = fee_progress.project_id
  AND places.phase_key = fee_progress.phase_key
  AND places.task_key = fee_progress.task_key
  AND places.contract = 'fixed'
  AND places.recognise = 'progress'
WHERE places.project_id IS NULL
