-- One row per phase, and the row 0 for no phase.
-- stored: table
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
  0 AS phase_id,
  NULL AS project_id,
  FALSE AS is_known,
  '(no phase)' AS phase,
  NULL AS phase_status,
  NULL AS start_date,
  NULL AS end_date
