-- Adds the days with logged time and the default cutoff. What was kept counted logged time up to the last day with any, so no cutoff goes on beyond one.
CREATE TABLE core.logged_days AS
SELECT date, date AS idle_until
FROM core.logged_hours
WHERE hours > 0;
CREATE TABLE marts.default_cutoff AS
WITH loaded AS (
  SELECT pl_day_in(settings.time_zone, generation.loaded_at) AS loaded_date
  FROM source.generation
  CROSS JOIN core.settings
)
SELECT COALESCE(MAX(logged_days.date), loaded.loaded_date) AS cutoff_date, MAX(logged_days.date) AS last_logged_date
FROM loaded
LEFT JOIN core.logged_days ON logged_days.date <= loaded.loaded_date
GROUP BY loaded.loaded_date;
COMMENT ON TABLE marts.default_cutoff IS 'One row per company: the default cutoff, the last day on which logged time counts.';
-- Adds what projects and phases earn by, when they were completed, and the amounts of milestones: what was kept has none.
ALTER TABLE source.projects ADD COLUMN contract VARCHAR;
ALTER TABLE source.projects ADD COLUMN recognise VARCHAR;
ALTER TABLE source.projects ADD COLUMN fee_expenses VARCHAR;
ALTER TABLE source.projects ADD COLUMN completed_on DATE;
ALTER TABLE source.phases ADD COLUMN contract VARCHAR;
ALTER TABLE source.phases ADD COLUMN recognise VARCHAR;
ALTER TABLE source.phases ADD COLUMN fee_expenses VARCHAR;
ALTER TABLE source.phases ADD COLUMN completed_on DATE;
ALTER TABLE source.milestones ADD COLUMN amount DECIMAL(18, 4);
ALTER TABLE source.projects ADD COLUMN contract_id VARCHAR;
CREATE OR REPLACE VIEW staging.projects AS
SELECT
  project_id,
  name,
  project_code,
  client_id,
  COALESCE(budget_type, 0) AS budget_type,
  budget_total,
  COALESCE(budget_priority, 0) AS budget_priority,
  default_hourly_rate,
  COALESCE(non_billable, FALSE) AS is_non_billable,
  COALESCE(status, CASE WHEN tentative THEN 1 ELSE 2 END) AS status,
  COALESCE(active, TRUE) AS is_active,
  project_manager AS project_manager_id,
  stage_id,
  start_date,
  end_date,
  contract,
  recognise,
  fee_expenses,
  completed_on,
  contract_id
FROM source.projects;
CREATE OR REPLACE VIEW staging.phases AS
SELECT
  phase_id,
  project_id,
  name,
  start_date,
  end_date,
  COALESCE(status, 2) AS status,
  COALESCE(non_billable, FALSE) AS is_non_billable,
  default_hourly_rate,
  budget_total,
  contract,
  recognise,
  fee_expenses,
  completed_on
FROM source.phases;
CREATE OR REPLACE VIEW staging.milestones AS
SELECT
  milestone_id,
  COALESCE(project_id, 0) AS project_id,
  COALESCE(phase_id, 0) AS phase_id,
  name,
  date,
  end_date,
  amount,
  created,
  modified
FROM source.milestones;
DROP VIEW marts.milestones;
CREATE VIEW IF NOT EXISTS core.loaded_day AS
SELECT pl_day_in(settings.time_zone, generation.loaded_at) AS loaded_date
FROM source.generation
CROSS JOIN core.settings;
-- Adds the kind of lines that contracts make, and the places of agreed fees, as budgets of fees said them: nobody could say another contract.
ALTER TABLE core.ledger ALTER kind TYPE VARCHAR;
ALTER TABLE core.ledger_months ALTER kind TYPE VARCHAR;
DROP TABLE core.fee_months;
DROP TYPE line_kind;
CREATE TYPE line_kind AS ENUM ('scheduled', 'actual', 'expense', 'revenue', 'invoice', 'write_off');
ALTER TABLE core.ledger ALTER kind TYPE line_kind;
ALTER TABLE core.ledger_months ALTER kind TYPE line_kind;
ALTER TABLE core.ledger_months ADD COLUMN last_date DATE;
UPDATE core.ledger_months
SET last_date = days.last_date
FROM (
  SELECT kind, month, project_id, phase_id, task_meta_id, status, billable, MAX(date) AS last_date
  FROM core.ledger
  GROUP BY ALL
) AS days
WHERE days.kind = ledger_months.kind AND days.month = ledger_months.month AND days.project_id = ledger_months.project_id
  AND days.phase_id = ledger_months.phase_id AND days.task_meta_id IS NOT DISTINCT FROM ledger_months.task_meta_id
  AND days.status = ledger_months.status AND days.billable = ledger_months.billable;
CREATE TABLE core.places AS
WITH known AS (
  SELECT
    budgets.level,
    budgets.project_id,
    budgets.phase_id,
    budgets.task_meta_id,
    settings.minor_units,
    pl_round_money(budgets.budget_total, settings.minor_units) AS agreed_fee,
    COALESCE(phases.start_date, projects.start_date) AS start_date,
    COALESCE(phases.end_date, projects.end_date) AS end_date,
    COALESCE(projects.status, 2) AS project_status,
    COALESCE(phase_statuses.status, projects.status, 2) AS phase_status
  FROM marts.budgets
  JOIN core.projects ON projects.project_id = budgets.project_id
  LEFT JOIN marts.phases ON phases.phase_id = budgets.phase_id AND phases.is_known
  LEFT JOIN core.statuses AS phase_statuses ON phase_statuses.name = phases.phase_status
  CROSS JOIN core.settings
  WHERE budgets.budget_type = 2
    AND NOT COALESCE(projects.is_non_billable, FALSE)
    AND budgets.level = CASE projects.budget_priority WHEN 0 THEN 'project' WHEN 1 THEN 'phase' ELSE 'task' END
)
SELECT
  level,
  project_id,
  phase_id,
  task_meta_id,
  CASE WHEN level = 'phase' THEN phase_id ELSE 0 END AS phase_key,
  task_meta_id AS task_key,
  minor_units,
  agreed_fee,
  'fixed' AS contract,
  'progress' AS recognise,
  level = 'project' AS has_expenses,
  start_date,
  end_date,
  end_date AS ends_on,
  CAST(NULL AS DATE) AS completed_on,
  project_status,
  3 IN (project_status, phase_status) AS is_completed,
  4 IN (project_status, phase_status) AS is_canceled,
  pl_line_status(
    CASE
      WHEN 4 IN (project_status, phase_status) THEN 'canceled'
      WHEN LEAST(project_status, phase_status) = 0 THEN 'draft'
      WHEN LEAST(project_status, phase_status) = 1 THEN 'tentative'
      WHEN 3 IN (project_status, phase_status) THEN 'completed'
      ELSE 'confirmed'
    END
  ) AS status
FROM known;
CREATE TABLE core.fee_milestones (
  project_id BIGINT, phase_key BIGINT, task_key BIGINT, date DATE, milestone_id BIGINT, amount DECIMAL(18, 4), amount_so_far DECIMAL(38, 4)
);
CREATE TABLE core.fee_progress (
  project_id BIGINT, phase_key BIGINT, task_key BIGINT, date DATE, date_before DATE, progress_id BIGINT, percent DECIMAL(7, 4), remaining_hours DECIMAL(14, 6)
);
CREATE TABLE core.retainer_periods (
  retainer_id BIGINT, project_id BIGINT, phase_key BIGINT, number INTEGER, first_date DATE, last_date DATE, days INTEGER, unit VARCHAR, counts VARCHAR,
  rollover VARCHAR, has_debts BOOLEAN, is_bounded_twice BOOLEAN, recognise VARCHAR, overage VARCHAR, minor_units INTEGER, capacity BIGINT,
  capacity_before BIGINT, capacity_so_far BIGINT, capacity_total BIGINT, lapse_date DATE, lapsed_so_far BIGINT, price_units BIGINT,
  project_status INTEGER, status line_status
);
CREATE TABLE core.retainer_calendar (project_id BIGINT, phase_key BIGINT, date DATE, retainer_id BIGINT, number INTEGER);
CREATE TABLE core.retainer_days (
  kind line_kind, date DATE, project_id BIGINT, phase_id BIGINT, task_meta_id BIGINT, status line_status, billable BOOLEAN, hours DECIMAL(38, 6),
  fee DECIMAL(38, 4)
);
CREATE TABLE core.retained_places (project_id BIGINT, phase_key BIGINT, project_status INTEGER);
CREATE TABLE core.revenue_lines (
  kind line_kind, line_id VARCHAR, date DATE, retainer_id BIGINT, project_id BIGINT, phase_id BIGINT, task_meta_id BIGINT, phase_key BIGINT, task_key BIGINT,
  status line_status, billable BOOLEAN, amount DECIMAL(18, 4)
);
CREATE TABLE marts.allowances (
  allowance_id VARCHAR, retainer_id BIGINT, project_id BIGINT, project VARCHAR, phase_id BIGINT, lot_date DATE, date DATE, kind VARCHAR, unit VARCHAR,
  amount DECIMAL(18, 6), cutoff_date DATE, is_forecast BOOLEAN
);
CREATE TABLE marts.retainers (
  retainer_id BIGINT, project_id BIGINT, project VARCHAR, client VARCHAR, phase_id BIGINT, date DATE, last_date DATE, unit VARCHAR, opened DECIMAL(18, 6),
  rolled DECIMAL(18, 6), used DECIMAL(18, 6), used_percent DECIMAL(18, 2), lapsed DECIMAL(18, 6), balance DECIMAL(18, 6), beyond DECIMAL(18, 6),
  forecast_used DECIMAL(18, 6), forecast_balance DECIMAL(18, 6), forecast_beyond DECIMAL(18, 6), used_up_on DATE, price DECIMAL(18, 4), cutoff_date DATE
);
COMMENT ON TABLE marts.retainers IS 'One row per retainer and period.';
COMMENT ON TABLE marts.allowances IS 'One row per lot of a retainer, day and kind of change of its balance.';
CREATE TABLE core.fee_months AS
WITH placed AS (
  SELECT
    places.project_id,
    places.phase_key,
    places.task_key,
    places.agreed_fee,
    places.minor_units,
    COALESCE(ledger.date <= places.ends_on, TRUE) AS is_by_end,
    CAST(NULL AS DATE) AS entry_date,
    ledger.kind,
    ledger.month,
    ledger.status,
    COALESCE(
      ledger.status IN ('confirmed', 'completed')
        OR (ledger.status = 'tentative' AND (places.project_status <= 1 OR phases.phase_status IN ('draft', 'tentative')))
        OR places.project_status = 0
        OR phases.phase_status = 'draft',
      FALSE
    ) AS is_firm,
    ledger.billable,
    ledger.date,
    ledger.hours,
    ledger.fee
  FROM core.ledger
  JOIN core.places
    ON places.project_id = ledger.project_id
    AND (places.level <> 'phase' OR places.phase_key = ledger.phase_id)
    AND (places.level <> 'task' OR places.task_key = ledger.task_meta_id)
  LEFT JOIN marts.phases ON phases.phase_id = ledger.phase_id AND phases.is_known
  WHERE ledger.status <> 'canceled' AND (ledger.kind <> 'expense' OR places.level = 'project')
)
SELECT * EXCLUDE (date, hours, fee), MAX(date) AS last_date, SUM(hours) AS hours, SUM(fee) AS fee
FROM placed
GROUP BY ALL
ORDER BY kind, month, project_id;
-- Adds the day that bill rates are dated from, and the rates of each level: what was kept had rates without a day, and no rate cards.
ALTER TABLE core.ledger ADD COLUMN bill_rate_from DATE;
CREATE OR REPLACE VIEW core.lines AS
SELECT
  kind,
  CASE kind
    WHEN 'scheduled' THEN 's:' || CAST(task_id AS VARCHAR) || ':' || CAST(people_id AS VARCHAR) || ':' || CAST(date AS VARCHAR)
    WHEN 'actual' THEN 'a:' || logged_time_id
    ELSE 'e:' || CAST(project_expense_id AS VARCHAR)
  END AS line_id,
  * EXCLUDE (kind, month)
FROM core.ledger;
CREATE OR REPLACE VIEW core.named_lines AS
SELECT
  lines.*,
  CAST(NULL AS DECIMAL(18, 4)) AS amount,
  pl_first_of_month(lines.date) AS month,
  people.person,
  people.department_id,
  people.department,
  roles.role,
  projects.project,
  projects.project_code,
  projects.client_id,
  projects.client,
  projects.project_manager,
  projects.project_manager_name,
  phases.phase,
  project_tasks.task
FROM core.lines
LEFT JOIN core.named_people AS people ON people.people_id = lines.people_id
LEFT JOIN marts.roles ON roles.role_id = lines.role_id
LEFT JOIN core.named_projects AS projects ON projects.project_id = lines.project_id
LEFT JOIN marts.phases ON phases.phase_id = lines.phase_id
LEFT JOIN marts.project_tasks ON project_tasks.task_meta_id = lines.task_meta_id
WHERE lines.status <> 'canceled';
CREATE VIEW core.bill_rates AS
WITH held AS (
  SELECT 'role' AS level, role_id AS id, 0 AS people_id, default_hourly_rate AS bill_rate FROM staging.roles
  UNION ALL
  SELECT 'person', people_id, 0, default_hourly_rate FROM staging.people
  UNION ALL
  SELECT 'project', project_id, 0, default_hourly_rate FROM staging.projects
  UNION ALL
  SELECT 'phase', phase_id, 0, default_hourly_rate FROM staging.phases
  UNION ALL
  SELECT 'project_team', project_id, people_id, hourly_rate FROM core.project_team
  UNION ALL
  SELECT 'phase_team', phase_id, people_id, hourly_rate FROM core.phase_team
)
SELECT
  level,
  id,
  people_id,
  0 AS role_id,
  pl_first_day() AS valid_from,
  pl_after_last_day() AS valid_to,
  bill_rate,
  CAST(NULL AS DATE) AS dated_from
FROM held;
CREATE TABLE core.seen_rates (level VARCHAR, id BIGINT, people_id BIGINT, role_id BIGINT, valid_from DATE);
CREATE TABLE core.card_rates (
  project_id BIGINT, role_id BIGINT, valid_from DATE, valid_to DATE, bill_rate DECIMAL(18, 4), bill_rate_source VARCHAR, bill_rate_from DATE
);
ALTER TABLE core.assignments ADD COLUMN valid_from DATE;
ALTER TABLE core.assignments ADD COLUMN valid_to DATE;
ALTER TABLE core.assignments ADD COLUMN bill_rate_from DATE;
ALTER TABLE core.assignments ADD COLUMN team_bill_rate DECIMAL(18, 4);
ALTER TABLE core.assignments ADD COLUMN team_bill_rate_from DATE;
UPDATE core.assignments SET valid_from = pl_first_day(), valid_to = pl_after_last_day();
ALTER TABLE core.person_rates ADD COLUMN own_bill_rate DECIMAL(18, 4);
ALTER TABLE core.person_rates ADD COLUMN own_bill_rate_from DATE;
ALTER TABLE core.person_rates ADD COLUMN role_bill_rate_from DATE;
UPDATE core.person_rates SET own_bill_rate = people.default_hourly_rate FROM staging.people WHERE people.people_id = person_rates.people_id;
DROP VIEW IF EXISTS marts.lines;
DROP VIEW IF EXISTS marts.ledger;
DROP VIEW IF EXISTS marts.canceled_lines;
DROP VIEW IF EXISTS marts.rates;
DROP VIEW IF EXISTS marts.people_rates;
DROP VIEW IF EXISTS marts.role_rates;
-- Adds the contract of each project, and the relations of bills, of which what was kept has none.
ALTER TABLE core.named_projects ADD COLUMN contract_id VARCHAR;
ALTER TABLE core.named_projects ADD COLUMN contract VARCHAR;
UPDATE core.named_projects SET contract = CAST(project_id AS VARCHAR);
CREATE TABLE core.billing_lines (
  kind line_kind, line_id VARCHAR, date DATE, project_id BIGINT, phase_id BIGINT, task_meta_id BIGINT, status line_status, billable BOOLEAN,
  amount DECIMAL(18, 4)
);
CREATE TABLE core.bills (
  bill_kind VARCHAR, bill_id BIGINT, invoice_id BIGINT, date DATE, status line_status, minor_units INTEGER, amount DECIMAL(18, 4), project_id BIGINT,
  phase_id BIGINT, task_meta_id BIGINT, credits BIGINT
);
CREATE TABLE core.covers (line_id VARCHAR);
CREATE TABLE core.billing_days (
  project_id BIGINT, phase_id BIGINT, task_meta_id BIGINT, item_date DATE, date DATE, unbilled DECIMAL(38, 4), undecided DECIMAL(38, 4),
  decided DECIMAL(38, 4), covered DECIMAL(38, 4), difference DECIMAL(38, 4), changed DECIMAL(38, 4)
);
CREATE VIEW core.billing_contracts AS
SELECT
  contract, MAX(contract_id) AS contract_id, COALESCE(MAX(contract_id), MAX(project)) AS contract_name, COUNT(*) AS project_count,
  MAX(project_id) AS project_id, MAX(client_id) AS client_id, MAX(client) AS client
FROM core.named_projects
GROUP BY contract;
