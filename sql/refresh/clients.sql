-- A changed client touches its projects.
SELECT projects.project_id
FROM core.projects
JOIN changed_records ON changed_records.resource = 'clients' AND changed_records.id = projects.client_id
