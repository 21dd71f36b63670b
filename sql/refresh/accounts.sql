-- A changed account touches the projects that it manages.
SELECT projects.project_id
FROM core.projects
JOIN changed_records ON changed_records.resource = 'accounts' AND changed_records.id = projects.project_manager_id
