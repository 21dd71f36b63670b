WITH lines AS (
  SELECT ledger.project_id AS key_project, ledger.phase_id AS key_phase, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM (
    SELECT month AS date, kind, project_id, phase_id, task_meta_id, status, billable, hours FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01' AND month <> DATE '2026-03-01'
    UNION ALL SELECT date, kind, project_id, phase_id, task_meta_id, status, billable, hours AS hours FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'
  ) AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
),
cells AS (
  SELECT key_project, key_phase, kind,
    0 AS nothing
  FROM lines GROUP BY key_project, key_phase, kind
),
row_keys AS (SELECT DISTINCT key_project, key_phase FROM cells),
row_sums AS (
  SELECT key_project, key_phase
  FROM (SELECT * FROM cells) AS cells
  GROUP BY key_project, key_phase
),
total_sums AS (
  SELECT COUNT(*) AS nothing
  FROM (SELECT * FROM cells) AS cells
),
budget_members AS (SELECT key_project, key_phase, key_project AS project_id, key_phase AS phase_id FROM row_keys),
budgeted AS (
  SELECT project_id, phase_id, budget_unit, CAST(budget_total AS DECIMAL(38, 6)) AS total FROM marts.budgets
  WHERE level = 'phase' AND phase_id IN (SELECT phase_id FROM budget_members)
),
budget_lines AS (
  SELECT project_id, phase_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind <> pl_line_kind('scheduled') AND phase_id IN (SELECT phase_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT project_id, phase_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND month >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND phase_id IN (SELECT phase_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT project_id, phase_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, 1 AS line_count, date <= DATE '2026-03-01' AS is_to_date
  FROM core.ledger WHERE phase_id IN (SELECT phase_id FROM budgeted) AND date >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND date < pl_add_months(pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)), 1) AND pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) <= DATE '2026-03-01'
),
budget_use AS (
  SELECT project_id, phase_id,
    COALESCE(SUM(CASE WHEN is_used THEN billable_hours END), 0) AS used_hours,
    COALESCE(SUM(CASE WHEN is_left THEN billable_hours END), 0) AS later_hours,
    CAST(SUM(CASE WHEN is_used THEN fee END) AS DECIMAL(38, 6)) AS used_fees,
    CAST(SUM(CASE WHEN is_left THEN fee END) AS DECIMAL(38, 6)) AS later_fees,
    COALESCE(SUM(CASE WHEN is_used THEN line_count END), 0) AS used_lines,
    COALESCE(SUM(CASE WHEN is_left THEN line_count END), 0) AS later_lines
  FROM (SELECT
  budget_lines.*,
  CASE WHEN budget_lines.billable THEN budget_lines.hours END AS billable_hours,
  budget_lines.kind <> pl_line_kind('scheduled') AND budget_lines.is_to_date AS is_used,
  budget_lines.kind = pl_line_kind('expense') OR (budget_lines.kind = pl_line_kind('scheduled') AND budget_lines.is_asked) AS is_planned,
  NOT budget_lines.is_to_date
    AND (budget_lines.kind = pl_line_kind('expense') OR (budget_lines.kind = pl_line_kind('scheduled') AND budget_lines.is_asked)) AS is_left
FROM budget_lines
WHERE CASE WHEN budget_lines.kind = pl_line_kind('expense') THEN budget_lines.billable ELSE TRUE END
) AS uses GROUP BY project_id, phase_id
),
budget_amounts AS (
  SELECT budgeted.project_id, budgeted.phase_id, budget_unit, total,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours, 0)
      WHEN used_fees IS NOT NULL OR COALESCE(used_lines, 0) = 0 THEN COALESCE(used_fees, 0)
    END AS used,
    total - COALESCE(used, 0) AS remaining,
    CASE
      WHEN budget_unit = 'hours' THEN COALESCE(used_hours + later_hours, 0)
      WHEN COALESCE(used_fees, later_fees) IS NOT NULL OR COALESCE(used_lines + later_lines, 0) = 0
        THEN COALESCE(used_fees, 0) + COALESCE(later_fees, 0)
    END AS forecast
  FROM budgeted
  LEFT JOIN budget_use ON budget_use.project_id = budgeted.project_id AND budget_use.phase_id = budgeted.phase_id
),
row_budget AS (
  SELECT key_project, key_phase, CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM budget_members JOIN budget_amounts ON budget_amounts.project_id = budget_members.project_id AND budget_amounts.phase_id = budget_members.phase_id
  GROUP BY key_project, key_phase
),
total_budget AS (
  SELECT CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM (SELECT DISTINCT project_id, phase_id FROM budget_members) AS budget_members JOIN budget_amounts ON budget_amounts.project_id = budget_members.project_id AND budget_amounts.phase_id = budget_members.phase_id
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_project AS "project_id", of_project.project AS "project", row_keys.key_phase AS "phase_id", of_phase.phase AS "phase", budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_project IS NOT DISTINCT FROM row_keys.key_project AND row_sums.key_phase IS NOT DISTINCT FROM row_keys.key_phase
    LEFT JOIN row_budget ON row_budget.key_project IS NOT DISTINCT FROM row_keys.key_project AND row_budget.key_phase IS NOT DISTINCT FROM row_keys.key_phase
    LEFT JOIN core.named_projects AS of_project ON of_project.project_id = row_keys.key_project
    LEFT JOIN marts.phases AS of_phase ON of_phase.phase_id = row_keys.key_phase
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "project_id", NULL AS "project", NULL AS "phase_id", NULL AS "phase", budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM total_sums CROSS JOIN total_budget
),
amounts AS (SELECT *, budget__forecast AS "budget_forecast", budget__used AS "budget_used", budget__total AS "budget_total" FROM parts),
measures AS (SELECT *, pl_percent(budget_used, budget_total) AS "budget_used_percent" FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "project_id", "project", "phase_id", "phase", "budget_unit", "budget_forecast", "budget_used_percent"
FROM measures
ORDER BY is_total, "project_id" NULLS LAST, "project" COLLATE en NULLS LAST, "project" NULLS LAST, "phase_id" NULLS LAST, "phase" COLLATE en NULLS LAST, "phase" NULLS LAST;

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
