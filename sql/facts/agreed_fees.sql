-- One row per line of a project with agreed fees: how much of its own fee is within the agreed fee and beyond it, and what the line earns.
-- Parameters: fee_day (cutoff_date, one row), asked_statuses (status), and life_lines, all lines of the projects: the ledger's columns and line_id.
-- Lines whose parts nobody asks for may be sums without a line_id, dated before or after all others; they count, and get no row.
-- An agreed fee is a budget of fees (type 2): of a project (priority 0), a phase (1) or a project task (2). At 1 and 2, expenses, and lines without
-- a phase or project task that has one, use none and earn their own fee.
-- The lines of an agreed fee stand in one order: date, labour before expenses, line_id. Only some count (is_counted): up to the cutoff logged time
-- and expenses, after it expenses and what is left to do (is_left): scheduled lines of an asked status, or as firm as the less firm of their
-- project and phase (S1).
-- In this order lines use the agreed fee: fee_within is the part of a line's fee up to the total, fee_beyond the rest.
-- If billable hours are left to do, or the project or phase is over, lines earn the agreed fee by their part of all billable hours
-- (is_by_progress). Otherwise, and if it is canceled, they earn what they use of it.
WITH agreed AS (
  SELECT
    budgets.level,
    budgets.project_id,
    CASE WHEN budgets.level = 'phase' THEN budgets.phase_id ELSE 0 END AS phase_key,
    budgets.task_meta_id AS task_key,
    settings.minor_units,
    pl_round_money(budgets.budget_total, settings.minor_units) AS agreed_fee,
    COALESCE(projects.status = 3, FALSE)
      OR COALESCE(phases.phase_status = 'completed', FALSE)
      OR COALESCE(COALESCE(phases.end_date, projects.end_date) <= fee_day.cutoff_date, FALSE) AS is_over,
    COALESCE(projects.status = 4, FALSE) OR COALESCE(phases.phase_status = 'canceled', FALSE) AS is_canceled
  FROM marts.budgets
  JOIN core.projects ON projects.project_id = budgets.project_id
  LEFT JOIN marts.phases ON phases.phase_id = budgets.phase_id
  CROSS JOIN core.settings
  CROSS JOIN fee_day
  WHERE budgets.budget_type = 2
    AND budgets.level = CASE projects.budget_priority WHEN 0 THEN 'project' WHEN 1 THEN 'phase' ELSE 'task' END
),
levels AS (
  SELECT DISTINCT agreed.project_id, agreed.level, projects.status AS project_status
  FROM agreed
  JOIN core.projects ON projects.project_id = agreed.project_id
),
placed AS (
  SELECT
    life_lines.*,
    CASE WHEN levels.level = 'phase' THEN life_lines.phase_id ELSE 0 END AS phase_key,
    CASE WHEN levels.level = 'task' THEN COALESCE(life_lines.task_meta_id, 0) ELSE 0 END AS task_key,
    life_lines.kind = pl_line_kind('expense') AS is_expense,
    COALESCE(life_lines.date <= fee_day.cutoff_date, FALSE) AS is_done,
    life_lines.status IN (SELECT status FROM asked_statuses) AS is_asked,
    life_lines.status IN (pl_line_status('confirmed'), pl_line_status('completed'))
      OR (life_lines.status = pl_line_status('tentative') AND (levels.project_status <= 1 OR phases.phase_status IN ('draft', 'tentative')))
      OR levels.project_status = 0
      OR phases.phase_status = 'draft' AS is_firm
  FROM life_lines
  JOIN levels ON levels.project_id = life_lines.project_id
  LEFT JOIN marts.phases ON phases.phase_id = life_lines.phase_id
  CROSS JOIN fee_day
  WHERE life_lines.status <> pl_line_status('canceled')
),
counted AS (
  SELECT
    placed.*,
    agreed.level AS fee_level,
    agreed.agreed_fee,
    agreed.minor_units,
    agreed.is_over,
    agreed.is_canceled,
    placed.kind = pl_line_kind('scheduled')
      AND NOT placed.is_done
      AND (placed.is_asked OR (agreed.agreed_fee IS NOT NULL AND COALESCE(placed.is_firm, FALSE))) AS is_left
  FROM placed
  LEFT JOIN agreed ON agreed.project_id = placed.project_id AND agreed.phase_key = placed.phase_key AND agreed.task_key = placed.task_key
),
chosen AS (
  SELECT
    counted.*,
    counted.is_expense OR counted.is_left OR (counted.kind = pl_line_kind('actual') AND counted.is_done) AS is_counted
  FROM counted
),
used AS (
  SELECT
    chosen.*,
    CASE WHEN chosen.is_counted THEN COALESCE(chosen.fee, 0) ELSE 0 END AS used_fee,
    CASE WHEN chosen.is_counted AND chosen.billable THEN COALESCE(chosen.hours, 0) ELSE 0 END AS used_hours
  FROM chosen
),
lives AS (
  SELECT
    project_id,
    phase_key,
    task_key,
    SUM(used_hours) AS life_hours,
    SUM(CASE WHEN is_left THEN used_hours ELSE 0 END) AS left_hours
  FROM used
  WHERE agreed_fee IS NOT NULL
  GROUP BY project_id, phase_key, task_key
),
running AS (
  SELECT
    used.*,
    lives.life_hours,
    lives.life_hours > 0 AND NOT used.is_canceled AND (lives.left_hours > 0 OR used.is_over) AS is_by_progress,
    SUM(used.used_fee) OVER (
      PARTITION BY used.project_id, used.phase_key, used.task_key ORDER BY used.date, used.is_expense, used.line_id ROWS UNBOUNDED PRECEDING
    ) AS fees_so_far,
    SUM(used.used_hours) OVER (
      PARTITION BY used.project_id, used.phase_key, used.task_key ORDER BY used.date, used.is_expense, used.line_id ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM used
  LEFT JOIN lives ON lives.project_id = used.project_id AND lives.phase_key = used.phase_key AND lives.task_key = used.task_key
),
shares AS (
  SELECT
    running.*,
    LEAST(agreed_fee, fees_so_far) - LEAST(agreed_fee, fees_so_far - used_fee) AS fee_within,
    pl_share(agreed_fee, hours_so_far, life_hours, minor_units)
      - pl_share(agreed_fee, hours_so_far - used_hours, life_hours, minor_units) AS fee_by_progress
  FROM running
  WHERE line_id IS NOT NULL
)
SELECT
  shares.*,
  CASE WHEN agreed_fee IS NULL THEN 0 ELSE used_fee - fee_within END AS fee_beyond,
  CASE
    WHEN agreed_fee IS NULL THEN fee
    WHEN NOT is_by_progress THEN fee_within
    WHEN is_expense THEN 0
    ELSE fee_by_progress
  END AS earned_fee
FROM shares
