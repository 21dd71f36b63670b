-- One row per milestone by which an agreed fee is earned (K2): its amount, and that of all of the place up to it, by date and id.
-- A milestone that names its phase alone is of the project of that phase.
-- stored: table
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH milestones AS (
  SELECT
    CASE WHEN own.project_id = 0 THEN phases.project_id ELSE own.project_id END AS project_id,
    own.phase_id,
    own.milestone_id,
    own.date,
    own.amount
  FROM staging.milestones AS own
  LEFT JOIN staging.phases ON phases.phase_id = own.phase_id
)
SELECT
  places.project_id,
  places.phase_key,
  places.task_key,
  milestones.date,
  milestones.milestone_id,
  pl_round_money(milestones.amount, places.minor_units) AS amount,
  SUM(pl_round_money(milestones.amount, places.minor_units)) OVER (
    PARTITION BY places.project_id, places.phase_key, places.task_key ORDER BY milestones.date, milestones.milestone_id ROWS UNBOUNDED PRECEDING
  ) AS amount_so_far
FROM core.places
JOIN milestones ON milestones.project_id = places.project_id
WHERE places.recognise = 'milestones'
  AND milestones.amount IS NOT NULL
  AND milestones.date IS NOT NULL
  AND (places.level = 'project' OR milestones.phase_id = places.phase_id)
