-- One row per line of the ledger, with its id. A key is null where the line refers to nothing, except project and phase 0.
SELECT
  kind,
  CASE kind
    WHEN 'scheduled' THEN 's:' || CAST(task_id AS VARCHAR) || ':' || CAST(people_id AS VARCHAR) || ':' || CAST(date AS VARCHAR)
    WHEN 'actual' THEN 'a:' || logged_time_id
    ELSE 'e:' || CAST(project_expense_id AS VARCHAR)
  END AS line_id,
  date,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id,
  project_expense_id,
  status,
  billable,
  hours,
  cost_rate,
  cost_rate_source,
  cost,
  bill_rate,
  bill_rate_source,
  fee
FROM core.ledger
