WITH lines AS (
  SELECT ledger.project_id AS key_project, ledger.phase_id AS key_phase, ledger.task_meta_id AS key_task, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours, ledger.cost, ledger.fee, ledger.cost_rate_source
  FROM core.ledger AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.kind <> pl_line_kind('expense')
    AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL)
    AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags))
    AND ledger.billable IN (false)
),
cells AS (
  SELECT key_project, key_phase, key_task, kind, status, is_billable, is_to_date,
    SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee, SUM(CASE WHEN cost_rate_source = 'none' THEN hours END) AS hours_without_cost_rate, SUM(CASE WHEN fee IS NULL THEN hours END) AS hours_without_bill_rate
  FROM lines GROUP BY key_project, key_phase, key_task, kind, status, is_billable, is_to_date
),
row_keys AS (SELECT DISTINCT key_project, key_phase, key_task FROM cells),
row_sums AS (
  SELECT key_project, key_phase, key_task, SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff" FROM cells) AS cells
  GROUP BY key_project, key_phase, key_task
),
total_sums AS (
  SELECT SUM(CASE WHEN in_scheduled THEN hours END) AS "scheduled__hours", SUM(CASE WHEN in_scheduled_billable THEN hours END) AS "scheduled_billable__hours", SUM(CASE WHEN in_scheduled_non_billable THEN hours END) AS "scheduled_non_billable__hours", SUM(CASE WHEN in_tentative THEN hours END) AS "tentative__hours", SUM(CASE WHEN in_scheduled_to_date THEN hours END) AS "scheduled_to_date__hours", SUM(CASE WHEN in_actual THEN hours END) AS "actual__hours", SUM(CASE WHEN in_actual_billable THEN hours END) AS "actual_billable__hours", SUM(CASE WHEN in_actual_non_billable THEN hours END) AS "actual_non_billable__hours", SUM(CASE WHEN in_scheduled_after_cutoff THEN hours END) AS "scheduled_after_cutoff__hours", SUM(CASE WHEN in_scheduled THEN cost END) AS "scheduled__cost", BOOL_OR(in_scheduled) AS "has_scheduled", SUM(CASE WHEN in_scheduled_to_date THEN cost END) AS "scheduled_to_date__cost", BOOL_OR(in_scheduled_to_date) AS "has_scheduled_to_date", SUM(CASE WHEN in_actual THEN cost END) AS "actual__cost", BOOL_OR(in_actual) AS "has_actual", SUM(CASE WHEN in_scheduled_after_cutoff THEN cost END) AS "scheduled_after_cutoff__cost", BOOL_OR(in_scheduled_after_cutoff) AS "has_scheduled_after_cutoff", SUM(CASE WHEN in_scheduled THEN hours_without_cost_rate END) AS "scheduled__hours_without_cost_rate", SUM(CASE WHEN in_actual THEN hours_without_cost_rate END) AS "actual__hours_without_cost_rate", SUM(CASE WHEN in_scheduled THEN fee END) AS "scheduled__fee", SUM(CASE WHEN in_scheduled_to_date THEN fee END) AS "scheduled_to_date__fee", SUM(CASE WHEN in_actual THEN fee END) AS "actual__fee", SUM(CASE WHEN in_scheduled_after_cutoff THEN fee END) AS "scheduled_after_cutoff__fee", SUM(CASE WHEN in_tentative THEN fee END) AS "tentative__fee", BOOL_OR(in_tentative) AS "has_tentative", SUM(CASE WHEN in_scheduled THEN hours_without_bill_rate END) AS "scheduled__hours_without_bill_rate", SUM(CASE WHEN in_actual THEN hours_without_bill_rate END) AS "actual__hours_without_bill_rate"
  FROM (SELECT *, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS "is_asked", kind = 'scheduled' AND is_asked AS "in_scheduled", kind = 'scheduled' AND is_asked AND is_billable AS "in_scheduled_billable", kind = 'scheduled' AND is_asked AND NOT is_billable AS "in_scheduled_non_billable", kind = 'scheduled' AND status = 'tentative' AS "in_tentative", kind = 'scheduled' AND is_asked AND is_to_date AS "in_scheduled_to_date", kind = 'actual' AND is_to_date AS "in_actual", kind = 'actual' AND is_to_date AND is_billable AS "in_actual_billable", kind = 'actual' AND is_to_date AND NOT is_billable AS "in_actual_non_billable", kind = 'scheduled' AND is_asked AND NOT is_to_date AS "in_scheduled_after_cutoff" FROM cells) AS cells
),
budget_members AS (SELECT key_project, key_phase, key_task, key_task AS task_meta_id FROM row_keys),
budgeted AS (
  SELECT task_meta_id, budget_unit, CAST(budget_total AS DECIMAL(38, 6)) AS total FROM marts.budgets
  WHERE level = 'task' AND task_meta_id IN (SELECT task_meta_id FROM budget_members)
),
budget_lines AS (
  SELECT task_meta_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind <> pl_line_kind('scheduled') AND task_meta_id IN (SELECT task_meta_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT task_meta_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, line_count, month < pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AS is_to_date
  FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND month >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND task_meta_id IN (SELECT task_meta_id FROM budgeted) AND (month <> pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) OR pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) > DATE '2026-03-01')
  UNION ALL
  SELECT task_meta_id, kind, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked, billable, hours, fee, 1 AS line_count, date <= DATE '2026-03-01' AS is_to_date
  FROM core.ledger WHERE task_meta_id IN (SELECT task_meta_id FROM budgeted) AND date >= pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) AND date < pl_add_months(pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)), 1) AND pl_first_of_month(pl_add_days(DATE '2026-03-01', 1)) <= DATE '2026-03-01'
),
budget_use AS (
  SELECT task_meta_id,
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
) AS uses GROUP BY task_meta_id
),
budget_amounts AS (
  SELECT budgeted.task_meta_id, budget_unit, total,
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
  LEFT JOIN budget_use ON budget_use.task_meta_id = budgeted.task_meta_id
),
row_budget AS (
  SELECT key_project, key_phase, key_task, CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM budget_members JOIN budget_amounts ON budget_amounts.task_meta_id = budget_members.task_meta_id
  GROUP BY key_project, key_phase, key_task
),
total_budget AS (
  SELECT CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN MIN(budget_unit) END AS "budget_unit", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(total) END AS "budget__total", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(used) END AS "budget__used", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(remaining) END AS "budget__remaining", CASE WHEN MIN(budget_unit) = MAX(budget_unit) THEN SUM(forecast) END AS "budget__forecast"
  FROM (SELECT DISTINCT task_meta_id FROM budget_members) AS budget_members JOIN budget_amounts ON budget_amounts.task_meta_id = budget_members.task_meta_id
),
parts AS MATERIALIZED (
  SELECT FALSE AS is_total, row_keys.key_project AS "project_id", of_project.project AS "project", row_keys.key_phase AS "phase_id", of_phase.phase AS "phase", row_keys.key_task AS "task_meta_id", CASE WHEN row_keys.key_task IS NULL THEN '(no task)' ELSE of_task.task END AS "name", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM row_keys LEFT JOIN row_sums ON row_sums.key_project IS NOT DISTINCT FROM row_keys.key_project AND row_sums.key_phase IS NOT DISTINCT FROM row_keys.key_phase AND row_sums.key_task IS NOT DISTINCT FROM row_keys.key_task
    LEFT JOIN row_budget ON row_budget.key_project IS NOT DISTINCT FROM row_keys.key_project AND row_budget.key_phase IS NOT DISTINCT FROM row_keys.key_phase AND row_budget.key_task IS NOT DISTINCT FROM row_keys.key_task
    LEFT JOIN core.named_projects AS of_project ON of_project.project_id = row_keys.key_project
    LEFT JOIN marts.phases AS of_phase ON of_phase.phase_id = row_keys.key_phase
    LEFT JOIN marts.project_tasks AS of_task ON of_task.task_meta_id = row_keys.key_task
  UNION ALL
  SELECT TRUE AS is_total, NULL AS "project_id", NULL AS "project", NULL AS "phase_id", NULL AS "phase", NULL AS "task_meta_id", NULL AS "name", scheduled__hours, scheduled_billable__hours, scheduled_non_billable__hours, tentative__hours, scheduled_to_date__hours, actual__hours, actual_billable__hours, actual_non_billable__hours, scheduled_after_cutoff__hours, scheduled__cost, has_scheduled, scheduled_to_date__cost, has_scheduled_to_date, actual__cost, has_actual, scheduled_after_cutoff__cost, has_scheduled_after_cutoff, scheduled__hours_without_cost_rate, actual__hours_without_cost_rate, scheduled__fee, scheduled_to_date__fee, actual__fee, scheduled_after_cutoff__fee, tentative__fee, has_tentative, scheduled__hours_without_bill_rate, actual__hours_without_bill_rate, budget_unit, budget__total, budget__used, budget__remaining, budget__forecast
  FROM total_sums CROSS JOIN total_budget
),
amounts AS (SELECT *, COALESCE(scheduled__hours, 0) AS "scheduled_hours", COALESCE(scheduled_billable__hours, 0) AS "scheduled_billable_hours", COALESCE(scheduled_non_billable__hours, 0) AS "scheduled_non_billable_hours", COALESCE(tentative__hours, 0) AS "tentative_hours", COALESCE(scheduled_to_date__hours, 0) AS "scheduled_to_date_hours", COALESCE(actual__hours, 0) AS "actual_hours", COALESCE(actual_billable__hours, 0) AS "actual_billable_hours", COALESCE(actual_non_billable__hours, 0) AS "actual_non_billable_hours", COALESCE(actual__hours, 0) - COALESCE(scheduled_to_date__hours, 0) AS "variance_hours", COALESCE(actual__hours, 0) + COALESCE(scheduled_after_cutoff__hours, 0) AS "forecast_hours", CASE WHEN COALESCE(scheduled__cost) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__cost, 0) END AS "scheduled_cost", CASE WHEN COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__cost, 0) END AS "scheduled_to_date_cost", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__cost, 0) END AS "actual_cost", CASE WHEN COALESCE(actual__cost, scheduled_to_date__cost) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__cost, 0) - COALESCE(scheduled_to_date__cost, 0) END AS "variance_cost", CASE WHEN COALESCE(actual__cost, scheduled_after_cutoff__cost) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__cost, 0) + COALESCE(scheduled_after_cutoff__cost, 0) END AS "forecast_cost", COALESCE(scheduled__hours_without_cost_rate, 0) AS "scheduled_hours_without_cost_rate", COALESCE(actual__hours_without_cost_rate, 0) AS "actual_hours_without_cost_rate", CASE WHEN COALESCE(scheduled__fee) IS NULL AND (has_scheduled) THEN NULL ELSE COALESCE(scheduled__fee, 0) END AS "scheduled_fees", CASE WHEN COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE COALESCE(scheduled_to_date__fee, 0) END AS "scheduled_to_date_fees", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) THEN NULL ELSE COALESCE(actual__fee, 0) END AS "actual_fees", CASE WHEN COALESCE(actual__fee, scheduled_to_date__fee) IS NULL AND (has_actual OR has_scheduled_to_date) THEN NULL ELSE COALESCE(actual__fee, 0) - COALESCE(scheduled_to_date__fee, 0) END AS "variance_fees", CASE WHEN COALESCE(actual__fee, scheduled_after_cutoff__fee) IS NULL AND (has_actual OR has_scheduled_after_cutoff) THEN NULL ELSE COALESCE(actual__fee, 0) + COALESCE(scheduled_after_cutoff__fee, 0) END AS "forecast_fees", CASE WHEN COALESCE(tentative__fee) IS NULL AND (has_tentative) THEN NULL ELSE COALESCE(tentative__fee, 0) END AS "tentative_fees", COALESCE(scheduled__hours_without_bill_rate, 0) AS "scheduled_hours_without_bill_rate", COALESCE(actual__hours_without_bill_rate, 0) AS "actual_hours_without_bill_rate", budget__total AS "budget_total", budget__used AS "budget_used", budget__remaining AS "budget_remaining", budget__forecast AS "budget_forecast" FROM parts),
measures AS (SELECT *, pl_percent(variance_hours, scheduled_to_date_hours) AS "variance_hours_percent", CASE WHEN COALESCE(actual__cost) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__cost) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_cost, scheduled_to_date_cost) END AS "variance_cost_percent", CASE WHEN COALESCE(actual__fee) IS NULL AND (has_actual) OR COALESCE(scheduled_to_date__fee) IS NULL AND (has_scheduled_to_date) THEN NULL ELSE pl_percent(variance_fees, scheduled_to_date_fees) END AS "variance_fees_percent", pl_percent(budget_used, budget_total) AS "budget_used_percent", pl_percent(budget_forecast, budget_total) AS "budget_forecast_percent" FROM amounts)
SELECT is_total, 0 AS "level", NULL AS "period_across", "project_id", "project", "phase_id", "phase", "task_meta_id", "name", "budget_unit", "scheduled_hours", "scheduled_billable_hours", "scheduled_non_billable_hours", "tentative_hours", "scheduled_to_date_hours", "actual_hours", "actual_billable_hours", "actual_non_billable_hours", "variance_hours", "variance_hours_percent", "forecast_hours", "scheduled_cost", "scheduled_to_date_cost", "actual_cost", "variance_cost", "variance_cost_percent", "forecast_cost", "scheduled_hours_without_cost_rate", "actual_hours_without_cost_rate", "scheduled_fees", "scheduled_to_date_fees", "actual_fees", "variance_fees", "variance_fees_percent", "forecast_fees", "tentative_fees", "scheduled_hours_without_bill_rate", "actual_hours_without_bill_rate", "budget_total", "budget_used", "budget_remaining", "budget_used_percent", "budget_forecast", "budget_forecast_percent"
FROM measures
ORDER BY is_total, "project" COLLATE en NULLS LAST, "project" NULLS LAST, "project_id" NULLS LAST, "phase" COLLATE en NULLS LAST, "phase" NULLS LAST, "phase_id" NULLS LAST, "name" COLLATE en NULLS LAST, "name" NULLS LAST, "task_meta_id" NULLS LAST;

WITH people AS (
  SELECT SUM(hours) AS hours_by_person, SUM(cost) AS cost_by_person, SUM(fee) AS fee_by_person
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(fee) AS fee FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL) AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND ledger.billable IN (false) GROUP BY people_id) AS groups
),
projects AS (
  SELECT SUM(hours) AS hours_by_project, SUM(cost) AS cost_by_project, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee_by_project, SUM(fee_rounded_off) AS fee_rounded_off
  FROM (SELECT SUM(hours) AS hours, SUM(cost) AS cost, SUM(cost_rounded_off) AS cost_rounded_off, SUM(fee) AS fee, SUM(fee_rounded_off) AS fee_rounded_off FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind <> pl_line_kind('expense') AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL) AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND ledger.billable IN (false) GROUP BY project_id) AS groups
),
logged AS (SELECT SUM(hours) AS ledger_hours FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('actual')),
records AS (SELECT SUM(hours) AS input_hours FROM core.logged_hours WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'),
expenses AS (
  SELECT SUM(cost) AS expense_cost, SUM(unrounded_cost) AS exact_expense_cost, SUM(fee) AS expense_fee, SUM(unrounded_fee) AS exact_expense_fee
  FROM core.expenses WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31' AND project_expense_id IN (SELECT project_expense_id FROM (SELECT *, pl_rounded_off(hours, cost_rate, cost) AS cost_rounded_off, CASE WHEN billable THEN pl_rounded_off(hours, bill_rate, fee) END AS fee_rounded_off FROM core.ledger WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31') AS ledger WHERE status <> pl_line_status('canceled') AND kind = pl_line_kind('expense') AND (ledger.task_meta_id IN (0) OR ledger.task_meta_id IS NULL) AND (ledger.people_id IN (SELECT people_id FROM marts.people_tags WHERE people_tag IN (lower('x'))) OR ledger.people_id IS NULL OR ledger.people_id NOT IN (SELECT people_id FROM marts.people_tags)) AND ledger.billable IN (false))
)
SELECT * FROM people CROSS JOIN projects CROSS JOIN logged CROSS JOIN records CROSS JOIN expenses;

SELECT CAST(MAX(date) AS VARCHAR) AS last_day FROM core.ledger
     WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) AND date >= (SELECT COALESCE(MAX(month), DATE '1970-01-01') FROM core.ledger_months WHERE kind = pl_line_kind('scheduled') AND billable AND status IN (pl_line_status('confirmed'), pl_line_status('completed')));
