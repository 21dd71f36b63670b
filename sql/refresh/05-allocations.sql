-- Refreshes core.allocations by task_id after tasks, projects, phases, project_tasks.
SELECT id AS task_id
FROM changed_records
WHERE resource = 'tasks'
UNION
SELECT allocations.task_id
FROM core.allocations
JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = allocations.project_id
UNION
SELECT allocations.task_id
FROM core.allocations
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = allocations.phase_id
UNION
SELECT allocations.task_id
FROM core.allocations
JOIN changed_records ON changed_records.resource = 'project_tasks' AND changed_records.id = allocations.task_meta_id
