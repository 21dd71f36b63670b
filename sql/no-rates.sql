-- The copy of a generation for readers who may not see what work costs: everything that is in it is named here, and nothing else is.
-- It is built in a new file, with the generation beside it as the database "generation". No cost, no rate of a cost, no markup and no raw
-- record comes along; bill rates and fees do. Relations and columns have the names that they have in the generation, and their comments.

CREATE SCHEMA source;
CREATE SCHEMA core;
CREATE SCHEMA marts;

CREATE TABLE source.generation AS
SELECT data_version, loaded_at, loaded_from
FROM generation.source.generation;

CREATE TABLE source.load_counts AS
SELECT resource, read, loaded, set_aside, duplicates
FROM generation.source.load_counts;

-- What reports hold the ledger's hours against.
CREATE TABLE source.logged_time AS
SELECT date, hours
FROM generation.source.logged_time;

CREATE TABLE core.settings AS
SELECT
  name,
  currency,
  minor_units,
  time_zone,
  week_starts_on,
  fiscal_year_starts_in,
  week_hours
FROM generation.core.settings;

-- In the generation's order, which reports of a window read fast. The source of the cost rate says whether a cost is known, and not which.
CREATE TABLE core.ledger AS
SELECT
  kind,
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
  cost_rate_source,
  bill_rate,
  bill_rate_source,
  fee
FROM generation.core.ledger;

CREATE TABLE core.expenses AS
SELECT date, project_id, project_expense_id, billable, unrounded_fee, fee
FROM generation.core.expenses;

CREATE TABLE core.budget_months AS
SELECT level, project_id, phase_id, task_meta_id, month, kind, status, billable_hours, fee, line_count
FROM generation.core.budget_months;

CREATE TABLE core.work_hours AS
SELECT
  people_id,
  valid_from,
  valid_to,
  work_weekdays,
  week_hours
FROM generation.core.work_hours;

CREATE TABLE core.time_off_days AS
SELECT people_id, date, time_off_hours
FROM generation.core.time_off_days;

CREATE TABLE marts.accounts AS
SELECT project_manager, project_manager_name
FROM generation.marts.accounts;

CREATE TABLE marts.budgets AS
SELECT level, project_id, phase_id, task_meta_id, budget_type, budget_unit, budget_total
FROM generation.marts.budgets;

CREATE TABLE marts.clients AS
SELECT client_id, client
FROM generation.marts.clients;

-- Details quote no cost and no markup. Reasons why a record was set aside name its fields, but never quote their values.
CREATE TABLE marts.data_quality AS
SELECT
  "check",
  severity,
  resource,
  id,
  date,
  detail,
  hours,
  people_id,
  project_id
FROM generation.marts.data_quality;

CREATE TABLE marts.departments AS
SELECT department_id, department
FROM generation.marts.departments;

CREATE TABLE marts.people AS
SELECT
  people_id,
  people_code,
  person,
  is_known,
  department_id,
  department,
  role_id,
  role,
  people_type_id,
  people_type,
  active,
  start_date,
  end_date
FROM generation.marts.people;

CREATE TABLE marts.people_tags AS
SELECT people_id, people_tag
FROM generation.marts.people_tags;

CREATE TABLE marts.people_types AS
SELECT people_type_id, people_type
FROM generation.marts.people_types;

CREATE TABLE marts.phases AS
SELECT phase_id, project_id, is_known, phase, phase_status, start_date, end_date
FROM generation.marts.phases;

CREATE TABLE marts.project_tags AS
SELECT project_id, tag
FROM generation.marts.project_tags;

CREATE TABLE marts.projects AS
SELECT
  project_id,
  project_code,
  project,
  is_known,
  client_id,
  client,
  project_status,
  active,
  non_billable,
  project_manager,
  project_manager_name,
  start_date,
  end_date
FROM generation.marts.projects;

CREATE TABLE marts.roles AS
SELECT role_id, role
FROM generation.marts.roles;

CREATE TABLE marts.tasks AS
SELECT task_meta_id, project_id, phase_id, is_known, task
FROM generation.marts.tasks;

CREATE VIEW marts.ledger AS
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
  cost_rate_source,
  bill_rate,
  bill_rate_source,
  fee
FROM core.ledger;

CREATE VIEW marts.lines AS
SELECT
  ledger.kind,
  ledger.line_id,
  ledger.date,
  ledger.people_id,
  people.person,
  ledger.role_id,
  roles.role,
  ledger.project_id,
  projects.project,
  ledger.phase_id,
  phases.phase,
  ledger.task_meta_id,
  tasks.task,
  ledger.task_id,
  ledger.logged_time_id,
  ledger.project_expense_id,
  ledger.status,
  ledger.billable,
  ledger.hours,
  ledger.cost_rate_source,
  ledger.bill_rate,
  ledger.bill_rate_source,
  ledger.fee
FROM marts.ledger
LEFT JOIN marts.people ON people.people_id = ledger.people_id
LEFT JOIN marts.roles ON roles.role_id = ledger.role_id
LEFT JOIN marts.projects ON projects.project_id = ledger.project_id
LEFT JOIN marts.phases ON phases.phase_id = ledger.phase_id
LEFT JOIN marts.tasks ON tasks.task_meta_id = ledger.task_meta_id
WHERE ledger.status <> 'canceled';
