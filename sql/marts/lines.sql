-- One row per line of the ledger that isn't canceled: one day of one person on one allocation (scheduled), a logged-time record (actual), or an expense.
-- Every number in every report is a sum over these lines. Names of what a line refers to come along. Those of unknown ids are empty, and of none, too, but for (no project) and (no phase).
-- Each key is in its dimension: 0 stands for none, so an inner join loses no line.
-- Sum amounts one by one, SUM(fee) - SUM(cost): SUM(fee - cost) drops every line whose fee or cost is unknown.
SELECT
  kind,
  line_id,
  date,
  month,
  COALESCE(people_id, 0) AS people_id,
  person,
  COALESCE(department_id, 0) AS department_id,
  department,
  COALESCE(role_id, 0) AS role_id,
  role,
  project_id,
  project,
  project_code,
  COALESCE(client_id, 0) AS client_id,
  client,
  COALESCE(project_manager, 0) AS project_manager,
  project_manager_name,
  phase_id,
  phase,
  COALESCE(task_meta_id, 0) AS task_meta_id,
  task,
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
FROM core.named_lines
