-- One row per fixed fee that is earned by progress because what its own way needs is missing (K2): evenly needs both days, milestones a project or phase.
-- says: fixed fees that are earned by progress, for lack of days or milestones
-- remedy: Give the project or phase a start and an end, or budget it by phase; or recognise it by progress.
WITH asked AS (
  SELECT places.*, COALESCE(phases.recognise, projects.recognise) AS asked_recognise
  FROM core.places
  JOIN staging.projects ON projects.project_id = places.project_id
  LEFT JOIN staging.phases ON phases.phase_id = places.phase_id
  WHERE places.contract = 'fixed' AND places.recognise = 'progress'
)
SELECT
  'warning' AS severity,
  CASE level WHEN 'project' THEN 'projects' WHEN 'phase' THEN 'phases' ELSE 'project_tasks' END AS resource,
  CAST(CASE level WHEN 'project' THEN project_id WHEN 'phase' THEN phase_id ELSE task_meta_id END AS VARCHAR) AS id,
  CAST(NULL AS DATE) AS date,
  'recognise ' || asked_recognise || CASE
    WHEN asked_recognise = 'milestones' THEN ': a project task has no milestones'
    WHEN start_date IS NULL AND end_date IS NULL THEN ', without start_date and end_date'
    WHEN start_date IS NULL THEN ', without start_date'
    ELSE ', without end_date'
  END AS detail,
  CAST(NULL AS DECIMAL(38, 6)) AS hours,
  agreed_fee AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  project_id
FROM asked
WHERE asked_recognise IN ('evenly', 'milestones')
