-- One row per line that isn't canceled: one day of one person on one allocation (scheduled), a logged-time record (actual), an expense, or what a
-- contract earns where no work does (revenue), by the default cutoff, of confirmed and completed places: its amount, without hours, cost and fee. Lines of
-- invoices, drafts too, and write-offs have an amount alone as well.
-- Every number in every report is a sum over these lines. Names of what a line refers to come along. Those of unknown ids are empty, and of none, too, but for (no project) and (no phase).
-- Each key is in its dimension: 0 stands for none, so an inner join loses no line.
-- A sum needs a kind, as the plan stands beside the work: WHERE kind = 'actual' or 'scheduled', or GROUP BY kind. SUM(hours) alone adds them up.
-- A join with project_tags or people_tags counts a line once for each tag: choose lines with project_id IN (SELECT project_id FROM project_tags WHERE tag = ...).
-- Sum amounts one by one, SUM(fee) - SUM(cost): SUM(fee - cost) drops every line whose fee or cost is unknown.
-- key: line_id
-- order: date, line_id
-- refers: date calendar, people_id people, role_id roles, project_id projects, phase_id phases, task_meta_id project_tasks, department_id departments, client_id clients, project_manager project_managers
-- hides: cost_rate, cost
WITH listed_revenue AS (
  SELECT kind, line_id, date, project_id, phase_id, task_meta_id, status, billable, amount
  FROM core.revenue_lines
  UNION ALL
  SELECT kind, line_id, date, project_id, phase_id, task_meta_id, status, billable, amount
  FROM core.billing_lines
),
unworked AS (
  SELECT *
  FROM core.named_lines
  WHERE FALSE
)
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
  kinds.records,
  status,
  billable,
  hours,
  cost_rate,
  cost_rate_source,
  cost,
  bill_rate,
  bill_rate_source,
  bill_rate_from,
  fee,
  amount
FROM core.named_lines
UNION ALL
SELECT
  named.kind,
  named.line_id,
  named.date,
  named.month,
  COALESCE(unworked.people_id, 0) AS people_id,
  unworked.person,
  COALESCE(unworked.department_id, 0) AS department_id,
  unworked.department,
  COALESCE(unworked.role_id, 0) AS role_id,
  unworked.role,
  named.project_id,
  named.project,
  named.project_code,
  COALESCE(named.client_id, 0) AS client_id,
  named.client,
  COALESCE(named.project_manager, 0) AS project_manager,
  named.project_manager_name,
  named.phase_id,
  named.phase,
  COALESCE(named.task_meta_id, 0) AS task_meta_id,
  named.task,
  unworked.task_id,
  kinds.records,
  named.status,
  named.billable,
  unworked.hours,
  unworked.cost_rate,
  unworked.cost_rate_source,
  unworked.cost,
  unworked.bill_rate,
  unworked.bill_rate_source,
  unworked.bill_rate_from,
  unworked.fee,
  named.amount
FROM facts.named_revenue AS named
LEFT JOIN unworked ON TRUE
