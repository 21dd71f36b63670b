-- One row per dated entry of the bill rate of a member of a team. team says whose list it stands in: a phase's or a project's.
SELECT 'phase' AS team, phase_id AS id, people_id, 0 AS phase_id, position, effective_date AS valid_from, rate AS bill_rate
FROM source.phase_team_rates
UNION ALL
SELECT 'project' AS team, project_id AS id, people_id, COALESCE(phase_id, 0) AS phase_id, position, effective_date AS valid_from, rate AS bill_rate
FROM source.project_team_rates
