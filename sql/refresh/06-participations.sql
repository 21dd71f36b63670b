-- Refreshes core.participations by people_id after tasks, project_tasks.
-- D8: logged time without a project moves with its allocation or its project task.
SELECT people_id
FROM named_people
WHERE resource = 'tasks'
UNION
SELECT logged_time.people_id
FROM staging.logged_time
JOIN changed_records ON changed_records.resource = 'tasks' AND changed_records.id = logged_time.task_id
WHERE logged_time.project_id IS NULL
UNION
SELECT logged_time.people_id
FROM staging.logged_time
JOIN changed_records ON changed_records.resource = 'project_tasks' AND changed_records.id = logged_time.task_meta_id
WHERE logged_time.project_id IS NULL
