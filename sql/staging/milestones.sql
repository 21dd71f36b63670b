-- One row per milestone.
SELECT milestone_id, project_id, COALESCE(phase_id, 0) AS phase_id, name, date
FROM source.milestones
