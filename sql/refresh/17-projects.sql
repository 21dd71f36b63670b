-- Refreshes core.projects by project_id after projects, tasks, project_expenses, core.participations.
-- What is among the projects is described by its own record; any other by being named.
SELECT project_id
FROM named_projects
WHERE resource = 'projects'
UNION
SELECT named_projects.project_id
FROM named_projects
LEFT JOIN staging.projects ON projects.project_id = named_projects.project_id
WHERE named_projects.resource IN ('tasks', 'project_expenses') AND projects.project_id IS NULL
UNION
SELECT changed.project_id
FROM changed_core_participations AS changed
LEFT JOIN staging.projects ON projects.project_id = changed.project_id
WHERE projects.project_id IS NULL
