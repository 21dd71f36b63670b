-- One row per milestone.
SELECT
  milestone_id,
  COALESCE(project_id, 0) AS project_id,
  COALESCE(phase_id, 0) AS phase_id,
  name,
  date,
  end_date,
  amount,
  created,
  modified
FROM source.milestones
