WITH lines AS (
  SELECT ledger.project_id AS key_project, ledger.phase_id AS key_phase, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM (
    SELECT month AS date, kind, project_id, phase_id, task_meta_id, status, billable, hours FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01' AND month <> DATE '2026-03-01'
    UNION ALL SELECT date, kind, project_id, phase_id, task_meta_id, status, billable, hours AS hours FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'
  ) AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.phase_id IN (5011)
),
cells AS (
  SELECT key_project, key_phase, kind,
    0 AS nothing
  FROM lines GROUP BY key_project, key_phase, kind
),
row_keys AS (SELECT DISTINCT key_project, key_phase FROM cells),
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
listed_budgets AS (
  SELECT budgets.project_id, budgets.phase_id, budgets.task_meta_id, budget_amounts.budget_unit, total,
    remaining IS NOT NULL AND MIN(budget_amounts.budget_unit) OVER () = MAX(budget_amounts.budget_unit) OVER () AS has_amount
  FROM (SELECT DISTINCT project_id, phase_id FROM budget_members) AS budget_members
  JOIN budget_amounts ON budget_amounts.project_id = budget_members.project_id AND budget_amounts.phase_id = budget_members.phase_id
  JOIN marts.budgets AS budgets ON budgets.level = 'phase' AND budgets.project_id = budget_members.project_id AND budgets.phase_id = budget_members.phase_id
),
budget_life_lines AS (
  SELECT *, date <= DATE '2026-03-01' AS is_to_date, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked
  FROM core.named_lines
),
whole AS (
  SELECT 'budget' AS kind, CONCAT('b:phase', ':', listed_budgets.project_id, ':', listed_budgets.phase_id) AS line_id, CAST(NULL AS DATE) AS date,
    NULL AS people_id, NULL AS person, listed_budgets.project_id, project, listed_budgets.phase_id, phase,
    listed_budgets.task_meta_id, task, NULL AS status, NULL AS billable, NULL AS hours, NULL AS fee, budget_unit,
    CASE WHEN has_amount THEN total END AS contribution
  FROM listed_budgets
  LEFT JOIN core.named_projects AS projects ON projects.project_id = listed_budgets.project_id
  LEFT JOIN marts.phases AS phases ON phases.phase_id = listed_budgets.phase_id
  LEFT JOIN marts.project_tasks AS tasks ON tasks.task_meta_id = listed_budgets.task_meta_id
  UNION ALL
  SELECT CAST(kind AS VARCHAR) AS kind, line_id, date, people_id, person, uses.project_id, project, uses.phase_id, phase,
    uses.task_meta_id, task, CAST(status AS VARCHAR) AS status, billable, hours, fee, budget_unit,
    CASE WHEN has_amount THEN -CASE WHEN budget_unit = 'hours' THEN billable_hours ELSE fee END END AS contribution
  FROM listed_budgets
  JOIN (SELECT
  budget_life_lines.*,
  CASE WHEN budget_life_lines.billable THEN budget_life_lines.hours END AS billable_hours,
  budget_life_lines.kind <> pl_line_kind('scheduled') AND budget_life_lines.is_to_date AS is_used,
  budget_life_lines.kind = pl_line_kind('expense') OR (budget_life_lines.kind = pl_line_kind('scheduled') AND budget_life_lines.is_asked) AS is_planned,
  NOT budget_life_lines.is_to_date
    AND (budget_life_lines.kind = pl_line_kind('expense') OR (budget_life_lines.kind = pl_line_kind('scheduled') AND budget_life_lines.is_asked)) AS is_left
FROM budget_life_lines
WHERE CASE WHEN budget_life_lines.kind = pl_line_kind('expense') THEN budget_life_lines.billable ELSE TRUE END
) AS uses ON uses.project_id = listed_budgets.project_id AND uses.phase_id = listed_budgets.phase_id
  WHERE is_used AND billable
),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT COUNT(*) AS count, CASE WHEN NOT (SELECT is_whole FROM sight) THEN NULL
  WHEN COUNT(CASE WHEN TRUE THEN 1 END) = 0 THEN NULL ELSE SUM(CASE WHEN TRUE THEN contribution END) END AS total
FROM contributions;

WITH lines AS (
  SELECT ledger.project_id AS key_project, ledger.phase_id AS key_phase, ledger.date, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM (
    SELECT month AS date, kind, project_id, phase_id, task_meta_id, status, billable, hours FROM core.ledger_months WHERE month >= DATE '2026-01-01' AND month < DATE '2026-04-01' AND month <> DATE '2026-03-01'
    UNION ALL SELECT date, kind, project_id, phase_id, task_meta_id, status, billable, hours AS hours FROM core.ledger WHERE date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'
  ) AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.phase_id IN (5011)
),
cells AS (
  SELECT key_project, key_phase, kind,
    0 AS nothing
  FROM lines GROUP BY key_project, key_phase, kind
),
row_keys AS (SELECT DISTINCT key_project, key_phase FROM cells),
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
listed_budgets AS (
  SELECT budgets.project_id, budgets.phase_id, budgets.task_meta_id, budget_amounts.budget_unit, total,
    remaining IS NOT NULL AND MIN(budget_amounts.budget_unit) OVER () = MAX(budget_amounts.budget_unit) OVER () AS has_amount
  FROM (SELECT DISTINCT project_id, phase_id FROM budget_members) AS budget_members
  JOIN budget_amounts ON budget_amounts.project_id = budget_members.project_id AND budget_amounts.phase_id = budget_members.phase_id
  JOIN marts.budgets AS budgets ON budgets.level = 'phase' AND budgets.project_id = budget_members.project_id AND budgets.phase_id = budget_members.phase_id
),
budget_life_lines AS (
  SELECT *, date <= DATE '2026-03-01' AS is_to_date, status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked
  FROM core.named_lines
),
whole AS (
  SELECT 'budget' AS kind, CONCAT('b:phase', ':', listed_budgets.project_id, ':', listed_budgets.phase_id) AS line_id, CAST(NULL AS DATE) AS date,
    NULL AS people_id, NULL AS person, listed_budgets.project_id, project, listed_budgets.phase_id, phase,
    listed_budgets.task_meta_id, task, NULL AS status, NULL AS billable, NULL AS hours, NULL AS fee, budget_unit,
    CASE WHEN has_amount THEN total END AS contribution
  FROM listed_budgets
  LEFT JOIN core.named_projects AS projects ON projects.project_id = listed_budgets.project_id
  LEFT JOIN marts.phases AS phases ON phases.phase_id = listed_budgets.phase_id
  LEFT JOIN marts.project_tasks AS tasks ON tasks.task_meta_id = listed_budgets.task_meta_id
  UNION ALL
  SELECT CAST(kind AS VARCHAR) AS kind, line_id, date, people_id, person, uses.project_id, project, uses.phase_id, phase,
    uses.task_meta_id, task, CAST(status AS VARCHAR) AS status, billable, hours, fee, budget_unit,
    CASE WHEN has_amount THEN -CASE WHEN budget_unit = 'hours' THEN billable_hours ELSE fee END END AS contribution
  FROM listed_budgets
  JOIN (SELECT
  budget_life_lines.*,
  CASE WHEN budget_life_lines.billable THEN budget_life_lines.hours END AS billable_hours,
  budget_life_lines.kind <> pl_line_kind('scheduled') AND budget_life_lines.is_to_date AS is_used,
  budget_life_lines.kind = pl_line_kind('expense') OR (budget_life_lines.kind = pl_line_kind('scheduled') AND budget_life_lines.is_asked) AS is_planned,
  NOT budget_life_lines.is_to_date
    AND (budget_life_lines.kind = pl_line_kind('expense') OR (budget_life_lines.kind = pl_line_kind('scheduled') AND budget_life_lines.is_asked)) AS is_left
FROM budget_life_lines
WHERE CASE WHEN budget_life_lines.kind = pl_line_kind('expense') THEN budget_life_lines.billable ELSE TRUE END
) AS uses ON uses.project_id = listed_budgets.project_id AND uses.phase_id = listed_budgets.phase_id
  WHERE is_used AND billable
),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT "kind", "line_id", "date", "people_id", "person", "project_id", "project", "phase_id", "phase", "task_meta_id", "task", "status", "billable", "hours", "fee", "budget_unit", "contribution"
FROM contributions
WHERE TRUE
ORDER BY date NULLS FIRST, line_id NULLS FIRST;
