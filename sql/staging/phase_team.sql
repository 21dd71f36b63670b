-- One row per item of a phase's team.
SELECT phase_id, position, people_id, role_id, hourly_rate
FROM source.phase_team
