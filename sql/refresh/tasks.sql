-- A changed allocation touches logged time against it without a project (D8).
SELECT logged_time.people_id, logged_time.logged_time_id
FROM staging.logged_time
JOIN changed_records ON changed_records.resource = 'tasks' AND changed_records.id = logged_time.task_id
WHERE logged_time.project_id IS NULL
