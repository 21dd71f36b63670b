-- One row per project record, and per other project in allocations, logged time or expenses. 0 stands for no project.
-- stored: table
SELECT
  projects.project_id,
  projects.project_code,
  projects.name AS project,
  projects.is_known,
  projects.client_id,
  clients.client,
  statuses.name AS project_status,
  projects.is_active AS active,
  projects.is_non_billable AS non_billable,
  projects.project_manager_id AS project_manager,
  accounts.project_manager_name,
  projects.start_date,
  projects.end_date
FROM core.projects
LEFT JOIN marts.clients ON clients.client_id = projects.client_id
LEFT JOIN marts.accounts ON accounts.project_manager = projects.project_manager_id
LEFT JOIN core.statuses ON statuses.status = projects.status
