SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = 'core.outlined';

CREATE OR REPLACE TEMP TABLE changed_records (resource VARCHAR, id BIGINT); CREATE OR REPLACE TEMP TABLE touched (people_id BIGINT, project_id BIGINT, logged_time_id VARCHAR); INSERT INTO touched VALUES (1, NULL, 'h1'); INSERT INTO touched BY NAME SELECT touched.people_id
FROM touched
LEFT JOIN staging.people ON people.people_id = touched.people_id
WHERE touched.logged_time_id IS NOT NULL AND (people.people_id IS NULL OR NOT people.is_active);

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

SELECT DISTINCT people_id, logged_time_id FROM touched WHERE logged_time_id IS NOT NULL;

SELECT DISTINCT "people_id", "project_id", "phase_id" FROM (FROM core.work) AS model WHERE TRUE AND people_id = 1 AND logged_time_id = 'h1';

SELECT "people_id", "project_id", "phase_id" FROM core.participations WHERE people_id = 1 AND project_id = 2 AND phase_id = 0;

INSERT INTO core.participations ("people_id", "project_id", "phase_id") VALUES (1, 2, 0);
    INSERT INTO changed_core_participations (part, "people_id", "project_id", "phase_id") SELECT 7, * FROM (VALUES (1, 2, 0));

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_participations;

INSERT INTO changed_core_assignments
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM core.assignments WHERE TRUE AND people_id = 1 AND project_id = 2 AND phase_id = 0),
    made AS MATERIALIZED (SELECT "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM (sql/core/assignments.sql) AS model WHERE TRUE AND people_id = 1 AND project_id = 2 AND phase_id = 0)
    SELECT 9, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."team_role_id" IS NOT DISTINCT FROM stored."team_role_id" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."team_bill_rate" IS NOT DISTINCT FROM stored."team_bill_rate" AND made."team_bill_rate_from" IS NOT DISTINCT FROM stored."team_bill_rate_from" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable"
    UNION ALL
    SELECT 9, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."team_role_id" IS NOT DISTINCT FROM stored."team_role_id" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."team_bill_rate" IS NOT DISTINCT FROM stored."team_bill_rate" AND made."team_bill_rate_from" IS NOT DISTINCT FROM stored."team_bill_rate_from" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_assignments WHERE part = 9;

INSERT INTO core.assignments ("people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable") SELECT "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM changed_core_assignments WHERE part = 9 AND stored_row IS NULL;

SELECT DISTINCT people_id, logged_time_id FROM touched WHERE logged_time_id IS NOT NULL;

INSERT INTO changed_core_ledger
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM core.ledger WHERE kind = pl_line_kind('actual') AND people_id = 1 AND logged_time_id = 'h1'),
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
) AS model WHERE kind = pl_line_kind('actual') AND people_id = 1 AND logged_time_id = 'h1')
    SELECT 11, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee"
    UNION ALL
    SELECT 11, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."date" IS NOT DISTINCT FROM stored."date" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."logged_time_id" IS NOT DISTINCT FROM stored."logged_time_id" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."fee" IS NOT DISTINCT FROM stored."fee";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_ledger WHERE part = 11;

DELETE FROM core.ledger WHERE rowid IN (SELECT stored_row FROM changed_core_ledger WHERE part = 11);

INSERT INTO core.ledger ("kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee") SELECT "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM changed_core_ledger WHERE part = 11 AND stored_row IS NULL;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_ledger
  WHERE logged_time_id IS NOT NULL AND stored_row IS NOT NULL AND (logged_time_id, people_id, project_id, phase_id) NOT IN (
    SELECT (logged_time_id, people_id, project_id, phase_id) FROM changed_core_ledger WHERE logged_time_id IS NOT NULL AND stored_row IS NULL);

INSERT INTO changed_core_participations
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "project_id", "phase_id" FROM core.participations WHERE TRUE AND people_id = 1 AND project_id = 1 AND phase_id = 0),
    made AS MATERIALIZED (SELECT "people_id", "project_id", "phase_id" FROM (sql/core/participations.sql) AS model WHERE TRUE AND people_id = 1 AND project_id = 1 AND phase_id = 0)
    SELECT 15, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id"
    UNION ALL
    SELECT 15, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_participations WHERE part = 15;

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_participations WHERE stored_row IS NOT NULL;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

SELECT DISTINCT project_id FROM changed_core_participations;

INSERT INTO changed_core_projects
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date" FROM core.projects WHERE TRUE AND project_id = 2),
    made AS MATERIALIZED (SELECT "project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date" FROM (sql/core/projects.sql) AS model WHERE TRUE AND project_id = 2)
    SELECT 18, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."name" IS NOT DISTINCT FROM stored."name" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_active" IS NOT DISTINCT FROM stored."is_active" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable" AND made."project_manager_id" IS NOT DISTINCT FROM stored."project_manager_id" AND made."budget_type" IS NOT DISTINCT FROM stored."budget_type" AND made."budget_total" IS NOT DISTINCT FROM stored."budget_total" AND made."budget_priority" IS NOT DISTINCT FROM stored."budget_priority" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date"
    UNION ALL
    SELECT 18, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."name" IS NOT DISTINCT FROM stored."name" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_active" IS NOT DISTINCT FROM stored."is_active" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable" AND made."project_manager_id" IS NOT DISTINCT FROM stored."project_manager_id" AND made."budget_type" IS NOT DISTINCT FROM stored."budget_type" AND made."budget_total" IS NOT DISTINCT FROM stored."budget_total" AND made."budget_priority" IS NOT DISTINCT FROM stored."budget_priority" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_projects WHERE part = 18;

INSERT INTO core.projects ("project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date") SELECT "project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date" FROM changed_core_projects WHERE part = 18 AND stored_row IS NULL;

SELECT DISTINCT project_id, month FROM changed_core_ledger;

INSERT INTO changed_core_ledger_months
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count" FROM core.ledger_months WHERE TRUE AND project_id IN (1, 2) AND project_id BETWEEN 1 AND 2 AND month = '2026-01-01'),
    made AS MATERIALIZED (SELECT "kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count" FROM (sql/core/ledger_months.sql) AS model WHERE TRUE AND project_id IN (1, 2) AND project_id BETWEEN 1 AND 2 AND month = '2026-01-01')
    SELECT 19, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."long_line" IS NOT DISTINCT FROM stored."long_line" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."fee" IS NOT DISTINCT FROM stored."fee" AND made."cost_rounded_off" IS NOT DISTINCT FROM stored."cost_rounded_off" AND made."fee_rounded_off" IS NOT DISTINCT FROM stored."fee_rounded_off" AND made."hours_without_cost_rate" IS NOT DISTINCT FROM stored."hours_without_cost_rate" AND made."hours_without_bill_rate" IS NOT DISTINCT FROM stored."hours_without_bill_rate" AND made."line_count" IS NOT DISTINCT FROM stored."line_count"
    UNION ALL
    SELECT 19, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."long_line" IS NOT DISTINCT FROM stored."long_line" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."fee" IS NOT DISTINCT FROM stored."fee" AND made."cost_rounded_off" IS NOT DISTINCT FROM stored."cost_rounded_off" AND made."fee_rounded_off" IS NOT DISTINCT FROM stored."fee_rounded_off" AND made."hours_without_cost_rate" IS NOT DISTINCT FROM stored."hours_without_cost_rate" AND made."hours_without_bill_rate" IS NOT DISTINCT FROM stored."hours_without_bill_rate" AND made."line_count" IS NOT DISTINCT FROM stored."line_count";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_ledger_months WHERE part = 19;

DELETE FROM core.ledger_months WHERE rowid IN (SELECT stored_row FROM changed_core_ledger_months WHERE part = 19);

INSERT INTO core.ledger_months ("kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count") SELECT "kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count" FROM changed_core_ledger_months WHERE part = 19 AND stored_row IS NULL;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

SELECT DISTINCT project_id FROM changed_core_ledger_months WHERE project_id IN (SELECT project_id FROM staging.projects WHERE dates_from = 'unknown');

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

SELECT DISTINCT project_id FROM changed_core_ledger_months WHERE project_id IN (SELECT project_id FROM core.places);

SELECT DISTINCT project_id FROM changed_core_places;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

SELECT DISTINCT project_id FROM changed_core_projects;

INSERT INTO changed_core_named_projects
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM core.named_projects WHERE TRUE AND project_id = 2),
    made AS MATERIALIZED (SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM (sql/core/named_projects.sql) AS model WHERE TRUE AND project_id = 2)
    SELECT 32, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."contract_id" IS NOT DISTINCT FROM stored."contract_id" AND made."contract" IS NOT DISTINCT FROM stored."contract"
    UNION ALL
    SELECT 32, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."contract_id" IS NOT DISTINCT FROM stored."contract_id" AND made."contract" IS NOT DISTINCT FROM stored."contract";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_named_projects WHERE part = 32;

INSERT INTO core.named_projects ("project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract") SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM changed_core_named_projects WHERE part = 32 AND stored_row IS NULL;

SELECT "people_id", "date" FROM changed_core_ledger WHERE "people_id" IS NOT NULL AND "date" IS NOT NULL;

SELECT * FROM (SELECT * FROM (SELECT ledger.kind, ledger.date, ledger.people_id, ledger.hours, ledger.cost_rate, ledger.cost, ledger.bill_rate, ledger.fee
FROM core.ledger
CROSS JOIN core.settings
WHERE (ledger.hours IS NOT NULL OR ledger.people_id IS NOT NULL)
  AND (
    pl_amount(ledger.hours, ledger.cost_rate, settings.minor_units) IS DISTINCT FROM ledger.cost
    OR CASE WHEN ledger.billable THEN pl_amount(ledger.hours, ledger.bill_rate, settings.minor_units) ELSE 0 END
      IS DISTINCT FROM ledger.fee
  )
) AS violations WHERE people_id = 1 AND date = '2026-01-05') LIMIT 3;

SELECT "people_id" FROM changed_core_assignments WHERE "people_id" IS NOT NULL;

SELECT * FROM (SELECT * FROM (WITH ranges AS (
  SELECT
    people_id,
    project_id,
    phase_id,
    valid_from,
    valid_to,
    LEAD(valid_from) OVER (PARTITION BY people_id, project_id, phase_id ORDER BY valid_from) AS next_valid_from
  FROM core.assignments
)
SELECT people_id, project_id, phase_id, valid_from, valid_to, next_valid_from
FROM ranges
WHERE valid_from >= valid_to OR next_valid_from <> valid_to
) AS violations WHERE people_id = 1) LIMIT 3;

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

SELECT "project_id", "month" FROM changed_core_ledger WHERE "project_id" IS NOT NULL AND "month" IS NOT NULL;

SELECT * FROM (SELECT * FROM (SELECT
  project_id,
  month,
  kind,
  status,
  billable,
  SUM(hours) AS more_hours,
  SUM(cost) AS more_cost,
  SUM(fee) AS more_fees,
  SUM(cost_rounded_off) AS more_cost_rounded_off,
  SUM(fee_rounded_off) AS more_fees_rounded_off,
  SUM(hours_without_cost_rate) AS more_hours_without_cost_rate,
  SUM(hours_without_bill_rate) AS more_hours_without_bill_rate,
  SUM(line_count) AS more_lines,
  MAX(line_date) AS last_line,
  MAX(last_date) AS last_date
FROM (
  SELECT
    project_id,
    month,
    kind,
    status,
    billable,
    hours,
    cost,
    fee,
    pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off,
    CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off,
    CASE WHEN cost_rate_source = 'none' THEN hours END AS hours_without_cost_rate,
    CASE WHEN fee IS NULL THEN hours END AS hours_without_bill_rate,
    1 AS line_count,
    date AS line_date,
    CAST(NULL AS DATE) AS last_date
  FROM core.ledger
  UNION ALL
  SELECT
    project_id,
    month,
    kind,
    status,
    billable,
    -hours,
    -cost,
    -fee,
    -cost_rounded_off,
    -fee_rounded_off,
    -hours_without_cost_rate,
    -hours_without_bill_rate,
    -line_count,
    NULL AS line_date,
    last_date
  FROM core.ledger_months
) AS compared
GROUP BY project_id, month, kind, status, billable
HAVING SUM(line_count) <> 0
  OR SUM(hours) <> 0
  OR SUM(cost) <> 0
  OR SUM(fee) <> 0
  OR SUM(cost_rounded_off) <> 0
  OR SUM(fee_rounded_off) <> 0
  OR SUM(hours_without_cost_rate) <> 0
  OR SUM(hours_without_bill_rate) <> 0
  OR MAX(line_date) <> MAX(last_date)
) AS violations WHERE project_id IN (1, 2) AND project_id BETWEEN 1 AND 2 AND month = '2026-01-01') LIMIT 3;

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

TRUNCATE changed_core_participations; TRUNCATE changed_core_assignments; TRUNCATE changed_core_projects; TRUNCATE changed_core_named_projects; TRUNCATE changed_core_ledger; TRUNCATE changed_core_ledger_months;
