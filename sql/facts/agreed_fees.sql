-- One row per line in `life_lines` of a project with an agreed fee, with its part of the fee. Lines without a line_id, sums of others, are left out.
-- A statement that reads it makes three relations: `fee_day` (cutoff_date), `asked_statuses` (status), and `life_lines`, the lines of whole lives:
-- the ledger's columns and line_id, one by one or, where nobody asks for them, as sums dated before or after all others.
-- A budget of fees (type 2) is an agreed fee: of a project (priority 0), of a phase (1) or of a project task (2). Expenses, and lines without a
-- phase or project task that has one, use none at 1 and 2, and earn their own fee.
-- Lines of a budget stand in one order: date, labour before expenses, line_id. Up to the cutoff logged time and expenses count, after it expenses and
-- what is left to do: scheduled lines of an asked status, or as firm as the less firm of their project and phase (S1).
-- Lines use the fee up to the total, and the rest of their fees is beyond it. They earn it by progress in hours if hours are left to do or the
-- project or phase is over; otherwise, and if that is canceled, they earn what they use.
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
