WITH lines AS (
  SELECT ledger.project_id AS key_project, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM (
    SELECT month AS date, kind, project_id, phase_id, task_meta_id, status, billable, hours FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01' AND month <> DATE '2026-03-01'
    UNION ALL SELECT date, kind, project_id, phase_id, task_meta_id, status, billable, hours AS hours FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'
  ) AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
),
cells AS (
  SELECT key_project, kind, status,
    SUM(hours) AS hours
  FROM lines GROUP BY key_project, kind, status
),
row_keys AS (SELECT DISTINCT key_project FROM cells),
row_sums AS (
  SELECT key_project, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled" FROM cells) AS cells
  GROUP BY key_project
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled" FROM cells) AS cells
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_project AS "project_id", of_project.project_code AS "project_code", of_project.project AS "name", of_project.client_id AS "client_id", of_project.client AS "client", of_project.project_status AS "status", of_project.active AS "active", scheduled__hours
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_project IS NOT DISTINCT FROM row_keys.key_project
    LEFT JOIN core.named_projects AS of_project ON of_project.project_id = row_keys.key_project
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "project_id", NULL AS "project_code", NULL AS "name", NULL AS "client_id", NULL AS "client", NULL AS "status", NULL AS "active", scheduled__hours
  FROM total_sums
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours" FROM parts),
measures AS (SELECT *, 0 AS no_ratio FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "project_id", "project_code", "name", "client_id", "client", "status", "active", "scheduled_hours"
FROM measures
ORDER BY is_total, "name" COLLATE en NULLS LAST, "name" NULLS LAST, "project_id" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (
    SELECT kind, project_id, phase_id, task_meta_id, status, billable, hours, cost, fee, cost_rounded_off, fee_rounded_off FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01'
  ) AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;

SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM core.ledger
     WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) AND date >= (SELECT COALESCE(MAX(month), DATE '1970-01-01') FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')));
