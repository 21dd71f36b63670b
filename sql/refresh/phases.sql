-- A changed phase touches the people who work on it, and the projects of allocations that name it, even if it belongs to another project.
SELECT assignments.people_id, CAST(NULL AS BIGINT) AS project_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = assignments.phase_id
UNION
SELECT CAST(NULL AS BIGINT) AS people_id, allocations.project_id
FROM core.allocations
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = allocations.phase_id
