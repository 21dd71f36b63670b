SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = 'core.outlined';

CREATE OR REPLACE TEMP TABLE changed_records (resource VARCHAR, id BIGINT); INSERT INTO changed_records VALUES ('clients', TRY_CAST('1' AS BIGINT)); CREATE OR REPLACE TEMP TABLE touched (people_id BIGINT, project_id BIGINT, logged_time_id VARCHAR); INSERT INTO touched BY NAME WITH own_projects AS (
  SELECT projects.project_id
  FROM core.projects
  JOIN changed_records ON changed_records.resource = 'clients' AND changed_records.id = projects.client_id
)
SELECT project_id, CAST(NULL AS BIGINT) AS people_id
FROM own_projects
UNION
SELECT CAST(NULL AS BIGINT) AS project_id, assignments.people_id
FROM core.assignments
JOIN own_projects ON own_projects.project_id = assignments.project_id;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_person_rates
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "valid_from", "valid_to", "role_id", "cost_rate", "cost_rate_source", "own_bill_rate", "own_bill_rate_from", "role_bill_rate", "role_bill_rate_from" FROM core.person_rates WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "people_id", "valid_from", "valid_to", "role_id", "cost_rate", "cost_rate_source", "own_bill_rate", "own_bill_rate_from", "role_bill_rate", "role_bill_rate_from" FROM (sql/core/person_rates.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 4, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."own_bill_rate" IS NOT DISTINCT FROM stored."own_bill_rate" AND made."own_bill_rate_from" IS NOT DISTINCT FROM stored."own_bill_rate_from" AND made."role_bill_rate" IS NOT DISTINCT FROM stored."role_bill_rate" AND made."role_bill_rate_from" IS NOT DISTINCT FROM stored."role_bill_rate_from"
    UNION ALL
    SELECT 4, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."own_bill_rate" IS NOT DISTINCT FROM stored."own_bill_rate" AND made."own_bill_rate_from" IS NOT DISTINCT FROM stored."own_bill_rate_from" AND made."role_bill_rate" IS NOT DISTINCT FROM stored."role_bill_rate" AND made."role_bill_rate_from" IS NOT DISTINCT FROM stored."role_bill_rate_from";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_person_rates WHERE part = 4;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_assignments
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM core.assignments WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM (sql/core/assignments.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 8, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."team_role_id" IS NOT DISTINCT FROM stored."team_role_id" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."team_bill_rate" IS NOT DISTINCT FROM stored."team_bill_rate" AND made."team_bill_rate_from" IS NOT DISTINCT FROM stored."team_bill_rate_from" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable"
    UNION ALL
    SELECT 8, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."team_role_id" IS NOT DISTINCT FROM stored."team_role_id" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."team_bill_rate" IS NOT DISTINCT FROM stored."team_bill_rate" AND made."team_bill_rate_from" IS NOT DISTINCT FROM stored."team_bill_rate_from" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_assignments WHERE part = 8;

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_participations;

SELECT DISTINCT people_id, logged_time_id FROM touched WHERE logged_time_id IS NOT NULL;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_ledger
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM core.ledger WHERE kind = pl_line_kind('scheduled') AND people_id = 1),
    made AS MATERIALIZED (SELECT "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM (SELECT
  kind,
  date,
  pl_first_of_month(date) AS month,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id, project_expense_id,
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
FROM (SELECT pl_line_kind('scheduled') AS kind, date, people_id, role_id, project_id, phase_id, task_meta_id, task_id, status, billable, hours, cost_rate, cost_rate_source, cost, bill_rate, bill_rate_source, bill_rate_from, fee, CAST(NULL AS VARCHAR) AS logged_time_id, CAST(NULL AS BIGINT) AS project_expense_id FROM (
WITH days AS (
  SELECT priced.*, pl_add_days(priced.date, series.day) AS day
  FROM core.priced
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(priced.date, priced.last_date))) AS series (day)
  WHERE priced.kind = pl_line_kind('scheduled')
),
days_off AS (
  SELECT people_id, date
  FROM core.time_off_days
  WHERE is_day_off
)
SELECT
  days.day AS date,
  days.people_id,
  days.role_id,
  days.project_id,
  days.phase_id,
  days.task_meta_id,
  days.task_id,
  days.status,
  days.billable,
  days.hours,
  days.cost_rate,
  days.cost_rate_source,
  days.cost,
  days.bill_rate,
  days.bill_rate_source,
  days.bill_rate_from,
  days.fee
FROM days
LEFT JOIN days_off ON days_off.people_id = days.people_id AND days_off.date = days.day
WHERE pl_has_weekday(days.weekdays, pl_weekday(days.day)) AND days_off.people_id IS NULL
) AS scheduled_lines) AS lines
) AS model WHERE kind = pl_line_kind('scheduled') AND people_id = 1)
    SELECT 12, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee"
    UNION ALL
    SELECT 12, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_ledger WHERE part = 12;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_ledger
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM core.ledger WHERE kind = pl_line_kind('actual') AND people_id = 1),
    made AS MATERIALIZED (SELECT "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM (SELECT
  kind,
  date,
  pl_first_of_month(date) AS month,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id, project_expense_id,
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
FROM (SELECT pl_line_kind('actual') AS kind, date, people_id, role_id, project_id, phase_id, task_meta_id, task_id, status, billable, hours, cost_rate, cost_rate_source, cost, bill_rate, bill_rate_source, bill_rate_from, fee, logged_time_id, CAST(NULL AS BIGINT) AS project_expense_id FROM (
SELECT
  date,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id,
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
FROM core.priced
WHERE kind = pl_line_kind('actual')
) AS actual_lines) AS lines
) AS model WHERE kind = pl_line_kind('actual') AND people_id = 1)
    SELECT 13, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee"
    UNION ALL
    SELECT 13, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_ledger WHERE part = 13;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_ledger
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM core.ledger WHERE kind = pl_line_kind('expense') AND project_id = 1),
    made AS MATERIALIZED (SELECT "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM (SELECT
  kind,
  date,
  pl_first_of_month(date) AS month,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id, project_expense_id,
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
FROM (SELECT pl_line_kind('expense') AS kind, date, people_id, role_id, project_id, phase_id, task_meta_id, task_id, status, billable, hours, cost_rate, cost_rate_source, cost, bill_rate, bill_rate_source, bill_rate_from, fee, CAST(NULL AS VARCHAR) AS logged_time_id, project_expense_id FROM (
SELECT
  date,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS role_id,
  project_id,
  0 AS phase_id,
  CAST(NULL AS BIGINT) AS task_meta_id,
  CAST(NULL AS BIGINT) AS task_id,
  project_expense_id,
  pl_line_status('confirmed') AS status,
  billable,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS cost_rate,
  pl_cost_rate_source(NULL) AS cost_rate_source,
  cost,
  CAST(NULL AS DECIMAL(18, 4)) AS bill_rate,
  pl_bill_rate_source(NULL) AS bill_rate_source,
  CAST(NULL AS DATE) AS bill_rate_from,
  fee
FROM core.expenses
) AS expense_lines) AS lines
) AS model WHERE kind = pl_line_kind('expense') AND project_id = 1)
    SELECT 14, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee"
    UNION ALL
    SELECT 14, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_ledger WHERE part = 14;

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_participations WHERE stored_row IS NOT NULL;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_named_projects
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM core.named_projects WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM (sql/core/named_projects.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 31, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."contract_id" IS NOT DISTINCT FROM stored."contract_id" AND made."contract" IS NOT DISTINCT FROM stored."contract"
    UNION ALL
    SELECT 31, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."contract_id" IS NOT DISTINCT FROM stored."contract_id" AND made."contract" IS NOT DISTINCT FROM stored."contract";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_named_projects WHERE part = 31;

DELETE FROM core.named_projects WHERE rowid IN (SELECT stored_row FROM changed_core_named_projects WHERE part = 31);

INSERT INTO core.named_projects ("project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract") SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM changed_core_named_projects WHERE part = 31 AND stored_row IS NULL;

SELECT DISTINCT project_id FROM changed_core_projects;

SELECT * FROM (WITH records AS (
  SELECT COUNT(*) AS line_count
  FROM source.project_expenses
),
lines AS (
  SELECT COUNT(*) AS line_count
  FROM core.ledger
  WHERE kind = pl_line_kind('expense')
)
SELECT records.line_count AS record_count, lines.line_count
FROM records
CROSS JOIN lines
WHERE records.line_count <> lines.line_count
) LIMIT 3;

SELECT * FROM (WITH records AS (
  SELECT COUNT(*) AS line_count, COALESCE(SUM(hours), 0) AS hours
  FROM source.logged_time
  WHERE hours > 0
),
lines AS (
  SELECT COUNT(*) AS line_count, COALESCE(SUM(hours), 0) AS hours
  FROM core.ledger
  WHERE kind = pl_line_kind('actual')
)
SELECT records.line_count AS record_count, lines.line_count, records.hours AS record_hours, lines.hours AS line_hours
FROM records
CROSS JOIN lines
WHERE records.line_count <> lines.line_count OR records.hours <> lines.hours
) LIMIT 3;

TRUNCATE changed_core_named_projects;
