-- One row per project record, and per other project in a phase, a project task, an allocation, logged time, an expense or a milestone. 0 stands for no project.
-- key: project_id
-- refers: client_id clients, project_manager project_managers
SELECT
  project_id,
  project_code,
  project,
  is_known,
  COALESCE(client_id, 0) AS client_id,
  client,
  project_status,
  active,
  non_billable,
  COALESCE(project_manager, 0) AS project_manager,
  project_manager_name,
  start_date,
  end_date
FROM core.named_projects
