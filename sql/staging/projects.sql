-- One row per project.
-- Without a status, a tentative project is tentative (1) and any other confirmed (2). Without the flag, it is active.
-- part: projects
SELECT
  project_id,
  name,
  project_code,
  client_id,
  COALESCE(budget_type, 0) AS budget_type,
  budget_total,
  COALESCE(budget_priority, 0) AS budget_priority,
  default_hourly_rate,
  COALESCE(non_billable, FALSE) AS is_non_billable,
  COALESCE(status, CASE WHEN tentative THEN 1 ELSE 2 END) AS status,
  COALESCE(active, TRUE) AS is_active,
  project_manager AS project_manager_id,
  stage_id,
  start_date,
  end_date,
  dates_from,
  contract,
  recognise,
  fee_expenses,
  completed_on,
  contract_id
FROM source.projects
