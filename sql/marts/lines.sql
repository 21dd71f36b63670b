-- One row per line of the ledger that isn't canceled: one day of one person on one allocation (scheduled), a logged-time record (actual), or an expense.
-- Every number in every report is a sum over these lines. Names of what a line refers to come along. Those of unknown ids are empty, and of none, too, but for (no project) and (no phase).
-- Each key is in its dimension: 0 stands for none, so an inner join loses no line.
-- A sum needs a kind, as the plan stands beside the work: WHERE kind = 'actual' or 'scheduled', or GROUP BY kind. SUM(hours) alone adds them up.
-- A join with project_tags or people_tags counts a line once for each tag: choose lines with project_id IN (SELECT project_id FROM project_tags WHERE tag = ...).
-- Sum amounts one by one, SUM(fee) - SUM(cost): SUM(fee - cost) drops every line whose fee or cost is unknown.
-- key: line_id
-- order: date, line_id
-- refers: date calendar, people_id people, role_id roles, project_id projects, phase_id phases, task_meta_id project_tasks, department_id departments, client_id clients, project_manager project_managers
-- hides: cost_rate, cost
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
  fee
FROM core.named_lines
