-- One row per phase record, and per other phase in a project task, an allocation, logged time or a milestone. 0 stands for no phase.
-- key: phase_id
-- refers: project_id projects
-- part: where phase_id = 0 OR phase_id IN (SELECT phase_id FROM core.ledger) OR project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
WITH named AS (
  SELECT phase_id FROM core.participations
  UNION
  SELECT phase_id FROM staging.milestones
  UNION
  SELECT phase_id FROM core.project_tasks
),
unknown AS (
  SELECT named.phase_id
  FROM named
  LEFT JOIN staging.phases ON phases.phase_id = named.phase_id
  WHERE phases.phase_id IS NULL AND named.phase_id <> 0
)
SELECT
  phases.phase_id,
  phases.project_id,
  TRUE AS is_known,
  phases.name AS phase,
  statuses.name AS phase_status,
  phases.start_date,
  phases.end_date
FROM staging.phases
JOIN core.statuses ON statuses.status = phases.status
UNION ALL
SELECT
  phase_id,
  0 AS project_id,
  FALSE AS is_known,
  NULL AS phase,
  NULL AS phase_status,
  NULL AS start_date,
  NULL AS end_date
FROM unknown
UNION ALL
SELECT
  0 AS phase_id,
  0 AS project_id,
  FALSE AS is_known,
  '(no phase)' AS phase,
  NULL AS phase_status,
  NULL AS start_date,
  NULL AS end_date
