-- One row per milestone.
-- A record without times of its own has the time of the load that brought it.
-- key: milestone_id
-- refers: project_id projects, phase_id phases
SELECT
  milestones.milestone_id,
  milestones.name AS milestone,
  milestones.project_id,
  projects.project,
  milestones.phase_id,
  phases.phase,
  milestones.date,
  milestones.end_date,
  milestones.amount,
  milestones.created,
  milestones.modified
FROM staging.milestones
LEFT JOIN marts.projects ON projects.project_id = milestones.project_id
LEFT JOIN marts.phases ON phases.phase_id = milestones.phase_id
