SELECT 1 FROM duckdb_tables() WHERE schema_name || '.' || table_name = 'core.outlined';

CREATE OR REPLACE TEMP TABLE changed_records (resource VARCHAR, id BIGINT); INSERT INTO changed_records VALUES ('clients', TRY_CAST('1' AS BIGINT)); CREATE OR REPLACE TEMP TABLE touched (people_id BIGINT, project_id BIGINT, logged_time_id VARCHAR); INSERT INTO touched BY NAME SELECT projects.project_id
FROM core.projects
JOIN changed_records ON changed_records.resource = 'clients' AND changed_records.id = projects.client_id;

SELECT DISTINCT project_id FROM touched WHERE project_id IS NOT NULL;

INSERT INTO changed_core_named_projects
    WITH stored AS MATERIALIZED (SELECT rowid AS stored_row, "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date" FROM core.named_projects WHERE TRUE AND project_id = 1),
    made AS MATERIALIZED (SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date" FROM (sql/core/named_projects.sql) AS model WHERE TRUE AND project_id = 1)
    SELECT 22, * FROM stored ANTI JOIN made ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date"
    UNION ALL
    SELECT 22, NULL, * FROM made ANTI JOIN stored ON made."project_id" IS NOT DISTINCT FROM stored."project_id" AND made."project_code" IS NOT DISTINCT FROM stored."project_code" AND made."project" IS NOT DISTINCT FROM stored."project" AND made."is_known" IS NOT DISTINCT FROM stored."is_known" AND made."client_id" IS NOT DISTINCT FROM stored."client_id" AND made."client" IS NOT DISTINCT FROM stored."client" AND made."project_status" IS NOT DISTINCT FROM stored."project_status" AND made."active" IS NOT DISTINCT FROM stored."active" AND made."non_billable" IS NOT DISTINCT FROM stored."non_billable" AND made."project_manager" IS NOT DISTINCT FROM stored."project_manager" AND made."project_manager_name" IS NOT DISTINCT FROM stored."project_manager_name" AND made."start_date" IS NOT DISTINCT FROM stored."start_date" AND made."end_date" IS NOT DISTINCT FROM stored."end_date";
    SELECT count(stored_row) AS gone, count(*) - count(stored_row) AS come FROM changed_core_named_projects WHERE part = 22;

DELETE FROM core.named_projects WHERE rowid IN (SELECT stored_row FROM changed_core_named_projects WHERE part = 22);

INSERT INTO core.named_projects ("project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date") SELECT "project_id", "project_code", "project", "is_known", "client_id", "client", "project_status", "active", "non_billable", "project_manager", "project_manager_name", "start_date", "end_date" FROM changed_core_named_projects WHERE part = 22 AND stored_row IS NULL;

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
