-- Refreshes marts.projects by project_id after clients, accounts, core.projects.
SELECT project_id
FROM changed_core_projects
UNION
SELECT projects.project_id
FROM core.projects
JOIN changed_records ON changed_records.resource = 'clients' AND changed_records.id = projects.client_id
UNION
SELECT projects.project_id
FROM core.projects
JOIN changed_records ON changed_records.resource = 'accounts' AND changed_records.id = projects.project_manager_id
