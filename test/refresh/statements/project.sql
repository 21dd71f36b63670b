SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = 'core.outlined';

CREATE OR REPLACE TEMP TABLE changed_records (resource VARCHAR, id BIGINT); INSERT INTO changed_records VALUES ('projects', TRY_CAST('1' AS BIGINT)); CREATE OR REPLACE TEMP TABLE touched (people_id BIGINT, project_id BIGINT, logged_time_id VARCHAR); INSERT INTO touched VALUES (NULL, 1, NULL); INSERT INTO touched BY NAME SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = assignments.project_id;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_occurrences
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "item_id", "people_id", "occurrence", "first_date", "last_date" FROM core.occurrences WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "kind", "item_id", "people_id", "occurrence", "first_date", "last_date" FROM (sql/core/occurrences.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 2, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."item_id" IS NOT DISTINCT FROM stored."item_id" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."occurrence" IS NOT DISTINCT FROM stored."occurrence" AND made."first_date" IS NOT DISTINCT FROM stored."first_date" AND made."last_date" IS NOT DISTINCT FROM stored."last_date"
    UNION ALL
    SELECT 2, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."item_id" IS NOT DISTINCT FROM stored."item_id" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."occurrence" IS NOT DISTINCT FROM stored."occurrence" AND made."first_date" IS NOT DISTINCT FROM stored."first_date" AND made."last_date" IS NOT DISTINCT FROM stored."last_date";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_occurrences WHERE part = 2;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_person_rates
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "valid_from", "valid_to", "role_id", "cost_rate", "cost_rate_source", "own_bill_rate", "own_bill_rate_from", "role_bill_rate", "role_bill_rate_from" FROM core.person_rates WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "people_id", "valid_from", "valid_to", "role_id", "cost_rate", "cost_rate_source", "own_bill_rate", "own_bill_rate_from", "role_bill_rate", "role_bill_rate_from" FROM (sql/core/person_rates.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 4, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."own_bill_rate" IS NOT DISTINCT FROM stored."own_bill_rate" AND made."own_bill_rate_from" IS NOT DISTINCT FROM stored."own_bill_rate_from" AND made."role_bill_rate" IS NOT DISTINCT FROM stored."role_bill_rate" AND made."role_bill_rate_from" IS NOT DISTINCT FROM stored."role_bill_rate_from"
    UNION ALL
    SELECT 4, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."role_id" IS NOT DISTINCT FROM stored."role_id" AND made."cost_rate" IS NOT DISTINCT FROM stored."cost_rate" AND made."cost_rate_source" IS NOT DISTINCT FROM stored."cost_rate_source" AND made."own_bill_rate" IS NOT DISTINCT FROM stored."own_bill_rate" AND made."own_bill_rate_from" IS NOT DISTINCT FROM stored."own_bill_rate_from" AND made."role_bill_rate" IS NOT DISTINCT FROM stored."role_bill_rate" AND made."role_bill_rate_from" IS NOT DISTINCT FROM stored."role_bill_rate_from";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_person_rates WHERE part = 4;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_allocations
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "task_id", "project_id", "phase_id", "people_id", "task_meta_id", "start_date", "end_date", "hours", "repeat_state", "repeat_end_date", "status", "is_billable_work" FROM core.allocations WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "task_id", "project_id", "phase_id", "people_id", "task_meta_id", "start_date", "end_date", "hours", "repeat_state", "repeat_end_date", "status", "is_billable_work" FROM (sql/core/allocations.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 5, * FROM stored ANTI JOIN made ON made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."repeat_state" IS NOT DISTINCT FROM stored."repeat_state" AND made."repeat_end_date" IS NOT DISTINCT FROM stored."repeat_end_date" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_billable_work" IS NOT DISTINCT FROM stored."is_billable_work"
    UNION ALL
    SELECT 5, NULL, * FROM made ANTI JOIN stored ON made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."repeat_state" IS NOT DISTINCT FROM stored."repeat_state" AND made."repeat_end_date" IS NOT DISTINCT FROM stored."repeat_end_date" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_billable_work" IS NOT DISTINCT FROM stored."is_billable_work";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_allocations WHERE part = 5;

DELETE FROM core.allocations WHERE rowid IN (SELECT stored_row FROM changed_core_allocations WHERE part = 5);

INSERT INTO core.allocations ("task_id", "project_id", "phase_id", "people_id", "task_meta_id", "start_date", "end_date", "hours", "repeat_state", "repeat_end_date", "status", "is_billable_work") SELECT "task_id", "project_id", "phase_id", "people_id", "task_meta_id", "start_date", "end_date", "hours", "repeat_state", "repeat_end_date", "status", "is_billable_work" FROM changed_core_allocations WHERE part = 5 AND stored_row IS NULL;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_participations
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "project_id", "phase_id" FROM core.participations WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "people_id", "project_id", "phase_id" FROM (sql/core/participations.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 6, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id"
    UNION ALL
    SELECT 6, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_participations WHERE part = 6;

SELECT DISTINCT people_id, logged_time_id FROM touched WHERE logged_time_id IS NOT NULL;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_assignments
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM core.assignments WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "people_id", "project_id", "phase_id", "valid_from", "valid_to", "team_role_id", "bill_rate", "bill_rate_source", "bill_rate_from", "team_bill_rate", "team_bill_rate_from", "is_non_billable" FROM (sql/core/assignments.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 8, * FROM stored ANTI JOIN made ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."team_role_id" IS NOT DISTINCT FROM stored."team_role_id" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."team_bill_rate" IS NOT DISTINCT FROM stored."team_bill_rate" AND made."team_bill_rate_from" IS NOT DISTINCT FROM stored."team_bill_rate_from" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable"
    UNION ALL
    SELECT 8, NULL, * FROM made ANTI JOIN stored ON made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."valid_from" IS NOT DISTINCT FROM stored."valid_from" AND made."valid_to" IS NOT DISTINCT FROM stored."valid_to" AND made."team_role_id" IS NOT DISTINCT FROM stored."team_role_id" AND made."bill_rate" IS NOT DISTINCT FROM stored."bill_rate" AND made."bill_rate_source" IS NOT DISTINCT FROM stored."bill_rate_source" AND made."bill_rate_from" IS NOT DISTINCT FROM stored."bill_rate_from" AND made."team_bill_rate" IS NOT DISTINCT FROM stored."team_bill_rate" AND made."team_bill_rate_from" IS NOT DISTINCT FROM stored."team_bill_rate_from" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_assignments WHERE part = 8;

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_participations;

SELECT DISTINCT people_id FROM touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL;

INSERT INTO changed_core_spans
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "task_id", "people_id", "project_id", "phase_id", "task_meta_id", "first_date", "last_date", "weekdays", "hours", "status", "is_billable_work" FROM core.spans WHERE TRUE AND people_id = 1),
    made AS MATERIALIZED (SELECT "task_id", "people_id", "project_id", "phase_id", "task_meta_id", "first_date", "last_date", "weekdays", "hours", "status", "is_billable_work" FROM (sql/core/spans.sql) AS model WHERE TRUE AND people_id = 1)
    SELECT 10, * FROM stored ANTI JOIN made ON made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."first_date" IS NOT DISTINCT FROM stored."first_date" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."weekdays" IS NOT DISTINCT FROM stored."weekdays" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_billable_work" IS NOT DISTINCT FROM stored."is_billable_work"
    UNION ALL
    SELECT 10, NULL, * FROM made ANTI JOIN stored ON made."task_id" IS NOT DISTINCT FROM stored."task_id" AND made."people_id" IS NOT DISTINCT FROM stored."people_id" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."first_date" IS NOT DISTINCT FROM stored."first_date" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."weekdays" IS NOT DISTINCT FROM stored."weekdays" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_billable_work" IS NOT DISTINCT FROM stored."is_billable_work";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_spans WHERE part = 10;

DELETE FROM core.spans WHERE rowid IN (SELECT stored_row FROM changed_core_spans WHERE part = 10);

INSERT INTO core.spans ("task_id", "people_id", "project_id", "phase_id", "task_meta_id", "first_date", "last_date", "weekdays", "hours", "status", "is_billable_work") SELECT "task_id", "people_id", "project_id", "phase_id", "task_meta_id", "first_date", "last_date", "weekdays", "hours", "status", "is_billable_work" FROM changed_core_spans WHERE part = 10 AND stored_row IS NULL;

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

DELETE FROM core.ledger WHERE rowid IN (SELECT stored_row FROM changed_core_ledger WHERE part = 12);

INSERT INTO core.ledger ("kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee") SELECT "kind", "date", "month", "people_id", "role_id", "project_id", "phase_id", "task_meta_id", "task_id", "logged_time_id", "project_expense_id", "status", "billable", "hours", "cost_rate", "cost_rate_source", "cost", "bill_rate", "bill_rate_source", "bill_rate_from", "fee" FROM changed_core_ledger WHERE part = 12 AND stored_row IS NULL;

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

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_ledger
  WHERE logged_time_id IS NOT NULL AND stored_row IS NOT NULL AND (logged_time_id, people_id, project_id, phase_id) NOT IN (
    SELECT (logged_time_id, people_id, project_id, phase_id) FROM changed_core_ledger WHERE logged_time_id IS NOT NULL AND stored_row IS NULL);

SELECT DISTINCT people_id, project_id, phase_id FROM changed_core_participations WHERE stored_row IS NOT NULL;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_projects
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date" FROM core.projects WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date" FROM (sql/core/projects.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 17, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."name" IS NOT DISTINCT FROM stored."name" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_active" IS NOT DISTINCT FROM stored."is_active" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable" AND made."project_manager_id" IS NOT DISTINCT FROM stored."project_manager_id" AND made."budget_type" IS NOT DISTINCT FROM stored."budget_type" AND made."budget_total" IS NOT DISTINCT FROM stored."budget_total" AND made."budget_priority" IS NOT DISTINCT FROM stored."budget_priority" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date"
    UNION ALL
    SELECT 17, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."name" IS NOT DISTINCT FROM stored."name" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_active" IS NOT DISTINCT FROM stored."is_active" AND made."is_non_billable" IS NOT DISTINCT FROM stored."is_non_billable" AND made."project_manager_id" IS NOT DISTINCT FROM stored."project_manager_id" AND made."budget_type" IS NOT DISTINCT FROM stored."budget_type" AND made."budget_total" IS NOT DISTINCT FROM stored."budget_total" AND made."budget_priority" IS NOT DISTINCT FROM stored."budget_priority" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_projects WHERE part = 17;

DELETE FROM core.projects WHERE rowid IN (SELECT stored_row FROM changed_core_projects WHERE part = 17);

INSERT INTO core.projects ("project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date") SELECT "project_id", "is_known", "name", "project_code", "client_id", "status", "is_active", "is_non_billable", "project_manager_id", "budget_type", "budget_total", "budget_priority", "start_date", "end_date" FROM changed_core_projects WHERE part = 17 AND stored_row IS NULL;

SELECT DISTINCT project_id FROM changed_core_participations;

SELECT DISTINCT project_id, month FROM changed_core_ledger;

INSERT INTO changed_core_ledger_months
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count" FROM core.ledger_months WHERE TRUE AND project_id = 1 AND month = '2026-01-01'),
    made AS MATERIALIZED (SELECT "kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count" FROM (sql/core/ledger_months.sql) AS model WHERE TRUE AND project_id = 1 AND month = '2026-01-01')
    SELECT 19, * FROM stored ANTI JOIN made ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."long_line" IS NOT DISTINCT FROM stored."long_line" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."fee" IS NOT DISTINCT FROM stored."fee" AND made."cost_rounded_off" IS NOT DISTINCT FROM stored."cost_rounded_off" AND made."fee_rounded_off" IS NOT DISTINCT FROM stored."fee_rounded_off" AND made."hours_without_cost_rate" IS NOT DISTINCT FROM stored."hours_without_cost_rate" AND made."hours_without_bill_rate" IS NOT DISTINCT FROM stored."hours_without_bill_rate" AND made."line_count" IS NOT DISTINCT FROM stored."line_count"
    UNION ALL
    SELECT 19, NULL, * FROM made ANTI JOIN stored ON made."kind" IS NOT DISTINCT FROM stored."kind" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."project_expense_id" IS NOT DISTINCT FROM stored."project_expense_id" AND made."long_line" IS NOT DISTINCT FROM stored."long_line" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."cost" IS NOT DISTINCT FROM stored."cost" AND made."fee" IS NOT DISTINCT FROM stored."fee" AND made."cost_rounded_off" IS NOT DISTINCT FROM stored."cost_rounded_off" AND made."fee_rounded_off" IS NOT DISTINCT FROM stored."fee_rounded_off" AND made."hours_without_cost_rate" IS NOT DISTINCT FROM stored."hours_without_cost_rate" AND made."hours_without_bill_rate" IS NOT DISTINCT FROM stored."hours_without_bill_rate" AND made."line_count" IS NOT DISTINCT FROM stored."line_count";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_ledger_months WHERE part = 19;

DELETE FROM core.ledger_months WHERE rowid IN (SELECT stored_row FROM changed_core_ledger_months WHERE part = 19);

INSERT INTO core.ledger_months ("kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count") SELECT "kind", "month", "project_id", "phase_id", "task_meta_id", "status", "billable", "project_expense_id", "long_line", "last_date", "hours", "cost", "fee", "cost_rounded_off", "fee_rounded_off", "hours_without_cost_rate", "hours_without_bill_rate", "line_count" FROM changed_core_ledger_months WHERE part = 19 AND stored_row IS NULL;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_marts_budgets
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "level", "project_id", "phase_id", "task_meta_id", "budget_type", "budget_unit", "budget_total" FROM marts.budgets WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "level", "project_id", "phase_id", "task_meta_id", "budget_type", "budget_unit", "budget_total" FROM (sql/marts/budgets.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 20, * FROM stored ANTI JOIN made ON made."level" IS NOT DISTINCT FROM stored."level" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."budget_type" IS NOT DISTINCT FROM stored."budget_type" AND made."budget_unit" IS NOT DISTINCT FROM stored."budget_unit" AND made."budget_total" IS NOT DISTINCT FROM stored."budget_total"
    UNION ALL
    SELECT 20, NULL, * FROM made ANTI JOIN stored ON made."level" IS NOT DISTINCT FROM stored."level" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."budget_type" IS NOT DISTINCT FROM stored."budget_type" AND made."budget_unit" IS NOT DISTINCT FROM stored."budget_unit" AND made."budget_total" IS NOT DISTINCT FROM stored."budget_total";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_marts_budgets WHERE part = 20;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_places
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "level", "project_id", "phase_id", "task_meta_id", "phase_key", "task_key", "minor_units", "agreed_fee", "contract", "recognise", "has_expenses", "start_date", "end_date", "ends_on", "completed_on", "project_status", "is_completed", "is_canceled", "status" FROM core.places WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "level", "project_id", "phase_id", "task_meta_id", "phase_key", "task_key", "minor_units", "agreed_fee", "contract", "recognise", "has_expenses", "start_date", "end_date", "ends_on", "completed_on", "project_status", "is_completed", "is_canceled", "status" FROM (sql/core/places.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 21, * FROM stored ANTI JOIN made ON made."level" IS NOT DISTINCT FROM stored."level" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."phase_key" IS NOT DISTINCT FROM stored."phase_key" AND made."task_key" IS NOT DISTINCT FROM stored."task_key" AND made."minor_units" IS NOT DISTINCT FROM stored."minor_units" AND made."agreed_fee" IS NOT DISTINCT FROM stored."agreed_fee" AND made."contract" IS NOT DISTINCT FROM stored."contract" AND made."recognise" IS NOT DISTINCT FROM stored."recognise" AND made."has_expenses" IS NOT DISTINCT FROM stored."has_expenses" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."ends_on" IS NOT DISTINCT FROM stored."ends_on" AND made."completed_on" IS NOT DISTINCT FROM stored."completed_on" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."is_completed" IS NOT DISTINCT FROM stored."is_completed" AND made."is_canceled" IS NOT DISTINCT FROM stored."is_canceled" AND made."status" IS NOT DISTINCT FROM stored."status"
    UNION ALL
    SELECT 21, NULL, * FROM made ANTI JOIN stored ON made."level" IS NOT DISTINCT FROM stored."level" AND made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_id" IS NOT DISTINCT FROM stored."phase_id" AND made."task_meta_id" IS NOT DISTINCT FROM stored."task_meta_id" AND made."phase_key" IS NOT DISTINCT FROM stored."phase_key" AND made."task_key" IS NOT DISTINCT FROM stored."task_key" AND made."minor_units" IS NOT DISTINCT FROM stored."minor_units" AND made."agreed_fee" IS NOT DISTINCT FROM stored."agreed_fee" AND made."contract" IS NOT DISTINCT FROM stored."contract" AND made."recognise" IS NOT DISTINCT FROM stored."recognise" AND made."has_expenses" IS NOT DISTINCT FROM stored."has_expenses" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."ends_on" IS NOT DISTINCT FROM stored."ends_on" AND made."completed_on" IS NOT DISTINCT FROM stored."completed_on" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."is_completed" IS NOT DISTINCT FROM stored."is_completed" AND made."is_canceled" IS NOT DISTINCT FROM stored."is_canceled" AND made."status" IS NOT DISTINCT FROM stored."status";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_places WHERE part = 21;

SELECT DISTINCT project_id FROM changed_core_ledger_months WHERE project_id IN (SELECT project_id FROM staging.projects WHERE dates_from = 'unknown');

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_retained_places
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "phase_key", "project_status" FROM core.retained_places WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "project_id", "phase_key", "project_status" FROM (sql/core/retained_places.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 23, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_key" IS NOT DISTINCT FROM stored."phase_key" AND made."project_status" IS NOT DISTINCT FROM stored."project_status"
    UNION ALL
    SELECT 23, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_key" IS NOT DISTINCT FROM stored."phase_key" AND made."project_status" IS NOT DISTINCT FROM stored."project_status";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_retained_places WHERE part = 23;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_fee_months
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "phase_key", "task_key", "agreed_fee", "minor_units", "is_by_end", "entry_date", "kind", "month", "status", "is_firm", "billable", "last_date", "hours", "fee" FROM core.fee_months WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "project_id", "phase_key", "task_key", "agreed_fee", "minor_units", "is_by_end", "entry_date", "kind", "month", "status", "is_firm", "billable", "last_date", "hours", "fee" FROM (sql/core/fee_months.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 27, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_key" IS NOT DISTINCT FROM stored."phase_key" AND made."task_key" IS NOT DISTINCT FROM stored."task_key" AND made."agreed_fee" IS NOT DISTINCT FROM stored."agreed_fee" AND made."minor_units" IS NOT DISTINCT FROM stored."minor_units" AND made."is_by_end" IS NOT DISTINCT FROM stored."is_by_end" AND made."entry_date" IS NOT DISTINCT FROM stored."entry_date" AND made."kind" IS NOT DISTINCT FROM stored."kind" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_firm" IS NOT DISTINCT FROM stored."is_firm" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."fee" IS NOT DISTINCT FROM stored."fee"
    UNION ALL
    SELECT 27, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."phase_key" IS NOT DISTINCT FROM stored."phase_key" AND made."task_key" IS NOT DISTINCT FROM stored."task_key" AND made."agreed_fee" IS NOT DISTINCT FROM stored."agreed_fee" AND made."minor_units" IS NOT DISTINCT FROM stored."minor_units" AND made."is_by_end" IS NOT DISTINCT FROM stored."is_by_end" AND made."entry_date" IS NOT DISTINCT FROM stored."entry_date" AND made."kind" IS NOT DISTINCT FROM stored."kind" AND made."month" IS NOT DISTINCT FROM stored."month" AND made."status" IS NOT DISTINCT FROM stored."status" AND made."is_firm" IS NOT DISTINCT FROM stored."is_firm" AND made."billable" IS NOT DISTINCT FROM stored."billable" AND made."last_date" IS NOT DISTINCT FROM stored."last_date" AND made."hours" IS NOT DISTINCT FROM stored."hours" AND made."fee" IS NOT DISTINCT FROM stored."fee";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_fee_months WHERE part = 27;

SELECT DISTINCT project_id FROM changed_core_ledger_months WHERE project_id IN (SELECT project_id FROM core.places);

SELECT DISTINCT project_id FROM changed_core_places;

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

INSERT INTO changed_core_named_projects
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM core.named_projects WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date", "contract_id", "contract" FROM (sql/core/named_projects.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 32, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."contract_id" IS NOT DISTINCT FROM stored."contract_id" AND made."contract" IS NOT DISTINCT FROM stored."contract"
    UNION ALL
    SELECT 32, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date" AND made."contract_id" IS NOT DISTINCT FROM stored."contract_id" AND made."contract" IS NOT DISTINCT FROM stored."contract";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_named_projects WHERE part = 32;

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
) AS violations WHERE project_id = 1 AND month = '2026-01-01') LIMIT 3;

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

SELECT "people_id" FROM changed_core_spans WHERE "people_id" IS NOT NULL;

SELECT * FROM (SELECT * FROM (SELECT task_id, people_id, date, COUNT(*) AS line_count
FROM core.ledger
WHERE kind = pl_line_kind('scheduled')
GROUP BY task_id, people_id, date
HAVING COUNT(*) > 1
) AS violations WHERE people_id = 1) LIMIT 3;

SELECT "people_id" FROM changed_core_spans WHERE "people_id" IS NOT NULL;

SELECT * FROM (SELECT * FROM (SELECT ledger.task_id, ledger.people_id, ledger.date
FROM core.ledger
JOIN core.people ON people.people_id = ledger.people_id
WHERE ledger.kind = pl_line_kind('scheduled') AND (ledger.date < people.employed_from OR ledger.date >= people.employed_to)
) AS violations WHERE people_id = 1) LIMIT 3;

TRUNCATE changed_core_allocations; TRUNCATE changed_core_projects; TRUNCATE changed_core_named_projects; TRUNCATE changed_core_spans; TRUNCATE changed_core_ledger; TRUNCATE changed_core_ledger_months;
