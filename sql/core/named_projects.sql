-- One row per project record, and per other project in a phase, a project task, an allocation, logged time, an expense or a milestone. 0 stands for no project.
-- contract is what bills are netted in (I3): the contract_id that projects share (c:), else the project alone.
-- Reports list these rows. References are null for none; those of marts.projects are 0.
-- stored: table
-- part: projects
-- copied: without rates
SELECT
  projects.project_id,
  projects.project_code,
  projects.name AS project,
  projects.is_known,
  projects.client_id,
  clients.name AS client,
  statuses.name AS project_status,
  projects.is_active AS active,
  projects.is_non_billable AS non_billable,
  projects.project_manager_id AS project_manager,
  accounts.name AS project_manager_name,
  projects.start_date,
  projects.end_date,
  records.contract_id,
  COALESCE('c:' || LOWER(records.contract_id), CAST(projects.project_id AS VARCHAR)) AS contract
FROM core.projects
LEFT JOIN staging.projects AS records ON records.project_id = projects.project_id
LEFT JOIN staging.clients ON clients.client_id = projects.client_id
LEFT JOIN staging.accounts ON accounts.account_id = projects.project_manager_id
LEFT JOIN core.statuses ON statuses.status = projects.status
