WITH lines AS (
  SELECT pl_first_of_month(ledger.date) AS key_month, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM (
    SELECT month AS date, kind, project_id, phase_id, task_meta_id, status, billable, hours FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01' AND month <> DATE '2026-03-01'
    UNION ALL SELECT date, kind, project_id, phase_id, task_meta_id, status, billable, hours AS hours FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'
  ) AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a')))
),
row_lines AS (
  SELECT lines.*, project_tags.tag AS key_tag
  FROM lines LEFT JOIN marts.project_tags AS project_tags ON project_tags.project_id = lines.project_id
),
cells AS (
  SELECT key_tag, key_month, kind, is_to_date,
    SUM(hours) AS hours
  FROM row_lines GROUP BY key_tag, key_month, kind, is_to_date
),
total_cells AS (
  SELECT kind, is_to_date,
    SUM(hours) AS hours
  FROM lines GROUP BY kind, is_to_date
),
row_keys AS (SELECT DISTINCT key_tag, key_month FROM cells),
row_sums AS (
  SELECT key_tag, key_month, SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours"
  FROM (SELECT *, kind = 'actual' AND is_to_date AS "in_actual" FROM cells) AS cells
  GROUP BY key_tag, key_month
),
total_sums AS (
  SELECT SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours"
  FROM (SELECT *, kind = 'actual' AND is_to_date AS "in_actual" FROM total_cells) AS cells
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_tag AS "tag", row_keys.key_month AS "month", row_keys.key_tag AS "linked_also_tag", GREATEST(DATE '2026-01-01', row_keys.key_month) AS "linked_period_start", LEAST(DATE '2026-03-31', CAST(row_keys.key_month + INTERVAL 1 MONTH - INTERVAL 1 DAY AS DATE)) AS "linked_period_end", actual__hours
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_tag IS NOT DISTINCT FROM row_keys.key_tag AND row_sums.key_month IS NOT DISTINCT FROM row_keys.key_month
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "tag", NULL AS "month", NULL AS "linked_also_tag", NULL AS "linked_period_start", NULL AS "linked_period_end", actual__hours
  FROM total_sums
),
amounts AS (SELECT *, COALESCE(actual__hours, 0) AS "actual_hours" FROM parts),
measures AS (SELECT *, 0 AS no_ratio FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "tag", "month", "actual_hours", "linked_also_tag", "linked_period_start", "linked_period_end"
FROM measures
ORDER BY is_total, "tag" COLLATE en NULLS LAST, "tag" NULLS LAST, "month" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND ledger.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a'))) GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (
    SELECT kind, project_id, phase_id, task_meta_id, status, billable, hours, cost, fee, cost_rounded_off, fee_rounded_off FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01'
  ) AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND ledger.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a'))) GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND project_expense_id IN (SELECT project_expense_id FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('expense') AND ledger.project_id IN (SELECT project_id FROM marts.project_tags WHERE tag IN (lower('a'))))
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;
