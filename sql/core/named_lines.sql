-- One row per line of the ledger that isn't canceled, with the names of everything it refers to: what the reports list.
-- Leaves out what has no name, which spares a look for ids without a record in all lines: a page of lines takes a third less.
-- part: lines
-- copied: without rates
-- hides: cost_rate, cost
SELECT
  lines.kind,
  lines.line_id,
  lines.date,
  pl_first_of_month(lines.date) AS month,
  lines.people_id,
  people.person,
  people.department_id,
  people.department,
  lines.role_id,
  roles.role,
  lines.project_id,
  projects.project,
  projects.project_code,
  projects.client_id,
  projects.client,
  projects.project_manager,
  projects.project_manager_name,
  lines.phase_id,
  phases.phase,
  lines.task_meta_id,
  project_tasks.task,
  lines.task_id,
  kinds.records,
  lines.status,
  lines.billable,
  lines.hours,
  lines.cost_rate,
  lines.cost_rate_source,
  lines.cost,
  lines.bill_rate,
  lines.bill_rate_source,
  lines.bill_rate_from,
  lines.fee,
  CAST(NULL AS DECIMAL(18, 4)) AS amount
FROM core.lines
LEFT JOIN core.named_people AS people ON people.people_id = lines.people_id
LEFT JOIN marts.roles ON roles.role_id = lines.role_id AND roles.role IS NOT NULL
LEFT JOIN core.named_projects AS projects ON projects.project_id = lines.project_id
LEFT JOIN marts.phases ON phases.phase_id = lines.phase_id AND phases.phase IS NOT NULL
LEFT JOIN marts.project_tasks ON project_tasks.task_meta_id = lines.task_meta_id AND project_tasks.task IS NOT NULL
WHERE lines.status <> 'canceled'
