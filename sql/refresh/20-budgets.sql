-- Refreshes marts.budgets by project_id after projects, phases, project_tasks.
SELECT project_id
FROM named_projects
WHERE resource IN ('projects', 'phases', 'project_tasks')
