-- One row per entry of a bill rate of a role, a person, a project or a phase.
-- P1: the field of the record is the entry without a day, which has always been in effect: position 0.
SELECT 'role' AS level, role_id AS id, 0 AS position, pl_first_day() AS valid_from, default_hourly_rate AS bill_rate
FROM staging.roles
UNION ALL
SELECT 'role' AS level, role_id AS id, position, effective_date AS valid_from, rate AS bill_rate
FROM source.role_bill_rates
UNION ALL
SELECT 'person' AS level, people_id AS id, 0 AS position, pl_first_day() AS valid_from, default_hourly_rate AS bill_rate
FROM staging.people
UNION ALL
SELECT 'person' AS level, people_id AS id, position, effective_date AS valid_from, rate AS bill_rate
FROM source.person_bill_rates
UNION ALL
SELECT 'project' AS level, project_id AS id, 0 AS position, pl_first_day() AS valid_from, default_hourly_rate AS bill_rate
FROM staging.projects
UNION ALL
SELECT 'project' AS level, project_id AS id, position, effective_date AS valid_from, rate AS bill_rate
FROM source.project_bill_rates
UNION ALL
SELECT 'phase' AS level, phase_id AS id, 0 AS position, pl_first_day() AS valid_from, default_hourly_rate AS bill_rate
FROM staging.phases
UNION ALL
SELECT 'phase' AS level, phase_id AS id, position, effective_date AS valid_from, rate AS bill_rate
FROM source.phase_bill_rates
