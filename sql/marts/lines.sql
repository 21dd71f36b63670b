-- One row per line of the ledger that isn't canceled, with the names of everything it refers to.
SELECT
  ledger.kind,
  ledger.line_id,
  ledger.date,
  pl_first_of_month(ledger.date) AS month,
  ledger.people_id,
  people.person,
  people.department_id,
  people.department,
  ledger.role_id,
  roles.role,
  ledger.project_id,
  projects.project,
  projects.project_code,
  projects.client_id,
  projects.client,
  projects.project_manager,
  projects.project_manager_name,
  ledger.phase_id,
  phases.phase,
  ledger.task_meta_id,
  project_tasks.task,
  ledger.task_id,
  ledger.logged_time_id,
  ledger.project_expense_id,
  ledger.status,
  ledger.billable,
  ledger.hours,
  ledger.cost_rate,
  ledger.cost_rate_source,
  ledger.cost,
  ledger.bill_rate,
  ledger.bill_rate_source,
  ledger.fee
FROM marts.ledger
LEFT JOIN marts.people ON people.people_id = ledger.people_id
LEFT JOIN marts.roles ON roles.role_id = ledger.role_id
LEFT JOIN marts.projects ON projects.project_id = ledger.project_id
LEFT JOIN marts.phases ON phases.phase_id = ledger.phase_id
LEFT JOIN marts.project_tasks ON project_tasks.task_meta_id = ledger.task_meta_id
WHERE ledger.status <> 'canceled'
