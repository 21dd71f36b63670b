-- Refreshes core.assignments by people_id after people, roles, projects, phases, project_tasks, tasks, core.people.
-- Who is in a team, or was, is named by the record of its project or phase.
-- D8: logged time without a project moves with its allocation or its project task.
SELECT people_id
FROM named_people
WHERE resource IN ('people', 'projects', 'phases', 'tasks')
UNION
SELECT people_id
FROM changed_core_people
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = assignments.team_role_id
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = assignments.project_id
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'phases' AND changed_records.id = assignments.phase_id
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
