-- A changed phase touches the people of allocations and logged time that name it, or that get it with their project (D8), and the projects of allocations
-- and project tasks that name it: even if it belongs to another project, as it may have been of theirs, or become so (D9).
SELECT occurrences.people_id, CAST(NULL AS BIGINT) AS project_id
FROM staging.allocations
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = allocations.phase_id
JOIN core.occurrences ON occurrences.kind = 'allocation' AND occurrences.item_id = allocations.task_id
UNION
SELECT logged_time.people_id, CAST(NULL AS BIGINT) AS project_id
FROM core.logged_time
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = logged_time.given_phase_id
UNION
SELECT CAST(NULL AS BIGINT) AS people_id, allocations.project_id
FROM staging.allocations
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = allocations.phase_id
UNION
SELECT CAST(NULL AS BIGINT) AS people_id, project_tasks.project_id
FROM staging.project_tasks
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = project_tasks.phase_id
