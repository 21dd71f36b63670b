-- One row per record and id in it without a record. The hours count, under that id.
-- says: references to records that do not exist
-- remedy: Restore what was deleted, or point the records elsewhere.
WITH known AS (
  SELECT 'person' AS kind, people_id AS value
  FROM staging.people
  UNION ALL
  SELECT 'project', project_id
  FROM staging.projects
  UNION ALL
  SELECT 'phase', phase_id
  FROM staging.phases
  UNION ALL
  SELECT 'project task', task_meta_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'allocation', task_id
  FROM staging.allocations
  UNION ALL
  SELECT 'client', client_id
  FROM staging.clients
  UNION ALL
  SELECT 'role', role_id
  FROM staging.roles
  UNION ALL
  SELECT 'rate card', rate_card_id
  FROM staging.rate_cards
  UNION ALL
  SELECT 'account', account_id
  FROM staging.accounts
  UNION ALL
  SELECT 'stage', stage_id
  FROM staging.project_stages
  UNION ALL
  SELECT 'department', department_id
  FROM staging.departments
  UNION ALL
  SELECT 'invoice', invoice_id
  FROM staging.invoices
  UNION ALL
  SELECT 'invoice line', invoice_line_id
  FROM staging.invoice_lines
),
allocation_people AS (
  SELECT allocations.task_id, start_date, hours, people.people_id, project_id
  FROM staging.allocation_people AS people
  JOIN staging.allocations ON allocations.task_id = people.task_id
),
time_off_people AS (
  SELECT time_off.timeoff_id, start_date, hours, people.people_id
  FROM staging.time_off_people AS people
  JOIN staging.time_off ON time_off.timeoff_id = people.timeoff_id
),
referred AS (
  SELECT 'tasks' AS resource, CAST(task_id AS VARCHAR) AS id, 'people_id' AS field, 'person' AS kind, people_id AS value,
    start_date AS date, hours, people_id, project_id
  FROM staging.allocations
  UNION ALL
  SELECT 'tasks', CAST(task_id AS VARCHAR), 'project_id', 'project', project_id, start_date, hours, people_id, project_id
  FROM staging.allocations
  UNION ALL
  SELECT 'tasks', CAST(task_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), start_date, hours, people_id, project_id
  FROM staging.allocations
  UNION ALL
  SELECT 'tasks', CAST(task_id AS VARCHAR), 'task_meta_id', 'project task', task_meta_id, start_date, hours, people_id, project_id
  FROM staging.allocations
  UNION ALL
  SELECT 'tasks', CAST(task_id AS VARCHAR), 'people_ids', 'person', people_id, start_date, hours, people_id, project_id
  FROM allocation_people
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'people_id', 'person', people_id, date, hours, people_id, project_id
  FROM staging.logged_time
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'project_id', 'project', project_id, date, hours, people_id, project_id
  FROM staging.logged_time
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'phase_id', 'phase', NULLIF(phase_id, 0), date, hours, people_id, project_id
  FROM staging.logged_time
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'task_id', 'allocation', task_id, date, hours, people_id, project_id
  FROM staging.logged_time
  UNION ALL
  SELECT 'logged_time', logged_time_id, 'task_meta_id', 'project task', task_meta_id, date, hours, people_id, project_id
  FROM staging.logged_time
  UNION ALL
  SELECT 'timeoffs', CAST(timeoff_id AS VARCHAR), 'people_id', 'person', people_id, start_date, hours, people_id, NULL
  FROM staging.time_off
  UNION ALL
  SELECT 'timeoffs', CAST(timeoff_id AS VARCHAR), 'people_ids', 'person', people_id, start_date, hours, people_id, NULL
  FROM time_off_people
  UNION ALL
  SELECT 'project_expenses', CAST(project_expense_id AS VARCHAR), 'project_id', 'project', project_id, date, NULL, NULL, project_id
  FROM staging.expenses
  UNION ALL
  SELECT 'phases', CAST(phase_id AS VARCHAR), 'project_id', 'project', project_id, NULL, NULL, NULL, project_id
  FROM staging.phases
  UNION ALL
  SELECT 'project_tasks', CAST(task_meta_id AS VARCHAR), 'project_id', 'project', project_id, NULL, NULL, NULL, project_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'project_tasks', CAST(task_meta_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), NULL, NULL, NULL, project_id
  FROM staging.project_tasks
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'client_id', 'client', client_id, NULL, NULL, NULL, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'projects', CAST(id AS VARCHAR), 'rate_cards.rate_card_id', 'rate card', rate_card_id, NULL, NULL, NULL, id
  FROM staging.card_uses
  WHERE level = 'rate_card'
  UNION ALL
  SELECT 'clients', CAST(id AS VARCHAR), 'rate_cards.rate_card_id', 'rate card', rate_card_id, NULL, NULL, NULL, NULL
  FROM staging.card_uses
  WHERE level = 'client_card'
  UNION ALL
  SELECT 'rate_cards', CAST(rate_card_id AS VARCHAR), 'rates.role_id', 'role', role_id, NULL, NULL, NULL, NULL
  FROM staging.rate_card_rates
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'project_manager', 'account', project_manager_id, NULL, NULL, NULL, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'stage_id', 'stage', stage_id, NULL, NULL, NULL, project_id
  FROM staging.projects
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'project_team.phase_id', 'phase', NULLIF(phase_id, 0), NULL, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'project_team.people_id', 'person', people_id, NULL, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'projects', CAST(project_id AS VARCHAR), 'project_team.role_id', 'role', role_id, NULL, NULL, people_id, project_id
  FROM staging.project_team
  UNION ALL
  SELECT 'phases', CAST(phase_id AS VARCHAR), 'phase_team.people_id', 'person', people_id, NULL, NULL, people_id, NULL
  FROM staging.phase_team
  UNION ALL
  SELECT 'phases', CAST(phase_id AS VARCHAR), 'phase_team.role_id', 'role', role_id, NULL, NULL, people_id, NULL
  FROM staging.phase_team
  UNION ALL
  SELECT 'milestones', CAST(milestone_id AS VARCHAR), 'project_id', 'project', project_id, date, NULL, NULL, project_id
  FROM staging.milestones
  UNION ALL
  SELECT 'milestones', CAST(milestone_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), date, NULL, NULL, project_id
  FROM staging.milestones
  UNION ALL
  SELECT 'progress', CAST(progress_id AS VARCHAR), 'project_id', 'project', project_id, date, NULL, NULL, project_id
  FROM staging.progress
  UNION ALL
  SELECT 'progress', CAST(progress_id AS VARCHAR), 'phase_id', 'phase', phase_id, date, NULL, NULL, project_id
  FROM staging.progress
  UNION ALL
  SELECT 'progress', CAST(progress_id AS VARCHAR), 'task_meta_id', 'project task', task_meta_id, date, NULL, NULL, project_id
  FROM staging.progress
  UNION ALL
  SELECT 'retainers', CAST(retainer_id AS VARCHAR), 'project_id', 'project', project_id, start_date, NULL, NULL, project_id
  FROM staging.retainers
  UNION ALL
  SELECT 'retainers', CAST(retainer_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), start_date, NULL, NULL, project_id
  FROM staging.retainers
  UNION ALL
  SELECT 'invoices', CAST(invoice_id AS VARCHAR), 'client_id', 'client', client_id, issue_date, NULL, NULL, NULL
  FROM staging.invoices
  UNION ALL
  SELECT 'invoice_lines', CAST(invoice_line_id AS VARCHAR), 'invoice_id', 'invoice', invoice_id, NULL, NULL, NULL, project_id
  FROM staging.invoice_lines
  UNION ALL
  SELECT 'invoice_lines', CAST(invoice_line_id AS VARCHAR), 'credits', 'invoice line', credits, NULL, NULL, NULL, project_id
  FROM staging.invoice_lines
  UNION ALL
  SELECT 'invoice_lines', CAST(invoice_line_id AS VARCHAR), 'project_id', 'project', project_id, NULL, NULL, NULL, project_id
  FROM staging.invoice_lines
  UNION ALL
  SELECT 'invoice_lines', CAST(invoice_line_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), NULL, NULL, NULL, project_id
  FROM staging.invoice_lines
  UNION ALL
  SELECT 'invoice_lines', CAST(invoice_line_id AS VARCHAR), 'task_meta_id', 'project task', task_meta_id, NULL, NULL, NULL, project_id
  FROM staging.invoice_lines
  UNION ALL
  SELECT 'write_offs', CAST(write_off_id AS VARCHAR), 'project_id', 'project', project_id, date, NULL, NULL, project_id
  FROM staging.write_offs
  UNION ALL
  SELECT 'write_offs', CAST(write_off_id AS VARCHAR), 'phase_id', 'phase', NULLIF(phase_id, 0), date, NULL, NULL, project_id
  FROM staging.write_offs
  UNION ALL
  SELECT 'departments', CAST(department_id AS VARCHAR), 'parent_id', 'department', parent_department_id, NULL, NULL, NULL, NULL
  FROM staging.departments
  UNION ALL
  SELECT 'people', CAST(people_id AS VARCHAR), 'department_id', 'department', department_id, NULL, NULL, people_id, NULL
  FROM staging.people
  WHERE department_name IS NULL
  UNION ALL
  SELECT 'people', CAST(people_id AS VARCHAR), 'role_id', 'role', role_id, NULL, NULL, people_id, NULL
  FROM staging.people
  UNION ALL
  SELECT 'people', CAST(people_id AS VARCHAR), 'contracts.role_id', 'role', role_id, effective_date, NULL, people_id, NULL
  FROM staging.contracts
)
SELECT DISTINCT
  'warning' AS severity,
  resource,
  id,
  date,
  field || ' ' || CAST(referred.value AS VARCHAR) || ' does not exist' AS detail,
  hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  people_id,
  project_id
FROM referred
LEFT JOIN known ON known.kind = referred.kind AND known.value = referred.value
WHERE known.value IS NULL AND referred.value IS NOT NULL
