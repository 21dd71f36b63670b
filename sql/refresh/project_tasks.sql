-- A changed project task touches the people whose allocations or logged time name it, and the projects of these allocations (D8, S2), even if it belongs
-- to another project (D9).
SELECT occurrences.people_id, CAST(NULL AS BIGINT) AS project_id
FROM staging.allocations
JOIN changed_records ON changed_records.resource = 'project_tasks' AND changed_records.id = allocations.task_meta_id
JOIN core.occurrences ON occurrences.kind = 'allocation' AND occurrences.item_id = allocations.task_id
UNION
SELECT logged_time.people_id, CAST(NULL AS BIGINT) AS project_id
FROM staging.logged_time
JOIN changed_records ON changed_records.resource = 'project_tasks' AND changed_records.id = logged_time.task_meta_id
UNION
SELECT CAST(NULL AS BIGINT) AS people_id, allocations.project_id
FROM staging.allocations
JOIN changed_records ON changed_records.resource = 'project_tasks' AND changed_records.id = allocations.task_meta_id
