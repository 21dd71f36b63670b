-- One row per canceled line of the plan, which reports leave out.
SELECT
  kind,
  line_id,
  date,
  COALESCE(people_id, 0) AS people_id,
  COALESCE(role_id, 0) AS role_id,
  project_id,
  phase_id,
  COALESCE(task_meta_id, 0) AS task_meta_id,
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
FROM core.lines
WHERE status = pl_line_status('canceled')
