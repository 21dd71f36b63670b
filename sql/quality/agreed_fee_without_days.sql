-- One row per fixed fee that can't end (K3): its project or phase has no end_date and no day of completion, and if it is completed, no line, either.
-- The part of it that no work earns stands on no day. Where an end may be computed, that is the finding (end_date_may_be_computed).
-- tells_of: projects
-- says: fixed fees without a day on which they end
-- remedy: Give the project or phase an end_date, or the day on which it was completed.
WITH worked AS (
  SELECT DISTINCT project_id, phase_key, task_key
  FROM core.fee_months
)
SELECT
  'notice' AS severity,
  CASE places.level WHEN 'project' THEN 'projects' WHEN 'phase' THEN 'phases' ELSE 'project_tasks' END AS resource,
  CAST(CASE places.level WHEN 'project' THEN places.project_id WHEN 'phase' THEN places.phase_id ELSE places.task_meta_id END AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'a fixed fee without an end' AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  places.agreed_fee AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  places.project_id
FROM core.places
LEFT JOIN worked ON worked.project_id = places.project_id AND worked.phase_key = places.phase_key AND worked.task_key = places.task_key
LEFT JOIN core.doubtful_ends ON doubtful_ends.project_id = places.project_id
WHERE places.contract = 'fixed'
  AND NOT places.is_canceled
  AND places.ends_on IS NULL
  AND NOT (places.is_completed AND worked.project_id IS NOT NULL)
  AND doubtful_ends.project_id IS NULL
