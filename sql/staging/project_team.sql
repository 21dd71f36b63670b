-- One row per item of a project's team.
SELECT project_id, position, COALESCE(phase_id, 0) AS phase_id, people_id, role_id, hourly_rate
FROM source.project_team
