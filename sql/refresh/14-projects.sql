-- Refreshes core.projects by project_id after projects, tasks, project_expenses, core.assignments.
SELECT project_id
FROM named_projects
WHERE resource IN ('projects', 'tasks', 'project_expenses')
UNION
SELECT project_id
FROM changed_core_assignments
