-- One row per allocation, person and day: a day's hours of the plan (D6).
-- D3: a day that occurrences of one allocation share counts once.
SELECT
  as_line_kind('scheduled') AS kind,
  date,
  first_of_month(date) AS month,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  CAST(NULL AS BIGINT) AS project_expense_id,
  status,
  is_billable AS billable,
  hours,
  cost_rate,
  cost_rate_source,
  cost,
  bill_rate,
  bill_rate_source,
  fee
FROM core.scheduled_days
WHERE NOT is_overlapping
UNION ALL
SELECT DISTINCT
  as_line_kind('scheduled') AS kind,
  date,
  first_of_month(date) AS month,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  CAST(NULL AS BIGINT) AS project_expense_id,
  status,
  is_billable AS billable,
  hours,
  cost_rate,
  cost_rate_source,
  cost,
  bill_rate,
  bill_rate_source,
  fee
FROM core.scheduled_days
WHERE is_overlapping
