-- Adds the end of the capacity in each range of work hours and of each person, and the roster of the report people. What was kept had its capacity for
-- the whole employment, and all active people as rows, so both stay as they were.
ALTER TABLE core.work_hours ADD COLUMN capacity_to DATE;
UPDATE core.work_hours SET capacity_to = valid_to
WHERE people_id IN (SELECT people_id FROM marts.people WHERE has_capacity);
ALTER TABLE marts.people ADD COLUMN last_capacity_date DATE;
CREATE TABLE core.roster AS
SELECT people_id, DATE '1970-01-01' AS valid_from, DATE '2100-01-01' AS valid_to, 127 AS weekdays
FROM marts.people
WHERE is_known AND active;
-- Adds the people and projects that reports list, with null for none, and puts 0 for none into the marts, so that no inner join loses a row.
-- Projects and phases that only phases and project tasks name get rows of their own.
CREATE TEMP TABLE named_phases AS
SELECT * REPLACE (COALESCE(project_id, 0) AS project_id) FROM marts.phases;
CREATE TEMP TABLE named_tasks AS
SELECT * REPLACE (COALESCE(project_id, 0) AS project_id, COALESCE(phase_id, 0) AS phase_id) FROM marts.project_tasks;
CREATE TEMP TABLE named_departments AS
SELECT * REPLACE (COALESCE(parent_department_id, 0) AS parent_department_id) FROM marts.departments;
INSERT INTO named_phases BY NAME
SELECT DISTINCT phase_id, 0 AS project_id, FALSE AS is_known FROM named_tasks WHERE phase_id NOT IN (SELECT phase_id FROM named_phases);
INSERT INTO marts.projects BY NAME
SELECT project_id, FALSE AS is_known FROM (SELECT project_id FROM named_phases UNION SELECT project_id FROM named_tasks) AS named
WHERE project_id NOT IN (SELECT project_id FROM marts.projects);
DROP VIEW marts.phases;
DROP VIEW marts.project_tasks;
DROP VIEW marts.departments;
CREATE TABLE marts.phases AS FROM named_phases;
CREATE TABLE marts.project_tasks AS FROM named_tasks;
CREATE TABLE marts.departments AS FROM named_departments;
DROP TABLE named_phases;
DROP TABLE named_tasks;
DROP TABLE named_departments;
COMMENT ON TABLE marts.phases IS 'One row per phase. 0 stands for no phase.';
COMMENT ON TABLE marts.project_tasks IS 'One row per project task, a kind of work in a project. 0 stands for no project task.';
COMMENT ON TABLE marts.departments IS 'One row per department. 0 stands for no department.';
CREATE TABLE core.named_people AS FROM marts.people;
CREATE TABLE core.named_projects AS FROM marts.projects;
UPDATE marts.people SET
  department_id = COALESCE(department_id, 0), role_id = COALESCE(role_id, 0), people_type_id = COALESCE(people_type_id, 0);
UPDATE marts.projects SET client_id = COALESCE(client_id, 0), project_manager = COALESCE(project_manager, 0);
CREATE OR REPLACE VIEW core.named_lines AS
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
  lines.logged_time_id,
  lines.project_expense_id,
  lines.status,
  lines.billable,
  lines.hours,
  lines.cost_rate,
  lines.cost_rate_source,
  lines.cost,
  lines.bill_rate,
  lines.bill_rate_source,
  lines.fee
FROM core.lines
LEFT JOIN core.named_people AS people ON people.people_id = lines.people_id
LEFT JOIN marts.roles ON roles.role_id = lines.role_id
LEFT JOIN core.named_projects AS projects ON projects.project_id = lines.project_id
LEFT JOIN marts.phases ON phases.phase_id = lines.phase_id
LEFT JOIN marts.project_tasks ON project_tasks.task_meta_id = lines.task_meta_id
WHERE lines.status <> 'canceled';
-- Adds the sums of lines by agreed fee and month.
CREATE TABLE core.fee_months AS
WITH known_phases AS (
  SELECT phase_id, phase_status, end_date
  FROM marts.phases
  WHERE is_known
),
agreed AS (
  SELECT
    budgets.level,
    budgets.project_id,
    CASE WHEN budgets.level = 'phase' THEN budgets.phase_id ELSE 0 END AS phase_key,
    budgets.task_meta_id AS task_key,
    settings.minor_units,
    pl_round_money(budgets.budget_total, settings.minor_units) AS agreed_fee,
    COALESCE(phases.end_date, projects.end_date) AS fee_end_date,
    COALESCE(projects.status = 3, FALSE) OR COALESCE(phases.phase_status = 'completed', FALSE) AS is_completed,
    COALESCE(projects.status = 4, FALSE) OR COALESCE(phases.phase_status = 'canceled', FALSE) AS is_canceled,
    projects.status AS project_status
  FROM marts.budgets
  JOIN core.projects ON projects.project_id = budgets.project_id
  LEFT JOIN known_phases AS phases ON phases.phase_id = budgets.phase_id
  CROSS JOIN core.settings
  WHERE budgets.budget_type = 2
    AND budgets.level = CASE projects.budget_priority WHEN 0 THEN 'project' WHEN 1 THEN 'phase' ELSE 'task' END
)
SELECT
  agreed.project_id,
  agreed.phase_key,
  agreed.task_key,
  agreed.agreed_fee,
  agreed.minor_units,
  agreed.fee_end_date,
  agreed.is_completed,
  agreed.is_canceled,
  months.kind,
  months.month,
  months.status,
  COALESCE(
    months.status IN ('confirmed', 'completed')
      OR (months.status = 'tentative' AND (agreed.project_status <= 1 OR phases.phase_status IN ('draft', 'tentative')))
      OR agreed.project_status = 0
      OR phases.phase_status = 'draft',
    FALSE
  ) AS is_firm,
  months.billable,
  SUM(months.hours) AS hours,
  SUM(months.fee) AS fee
FROM core.ledger_months AS months
JOIN agreed ON agreed.project_id = months.project_id
  AND (agreed.level <> 'phase' OR agreed.phase_key = months.phase_id)
  AND (agreed.level <> 'task' OR agreed.task_key = months.task_meta_id)
LEFT JOIN known_phases AS phases ON phases.phase_id = months.phase_id
WHERE months.status <> 'canceled'
GROUP BY ALL
ORDER BY months.kind, months.month, agreed.project_id;
