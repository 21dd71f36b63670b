-- One row per line of a project with agreed fees: the agreed fee that it uses, if any, and what it uses of it.
-- Parameters: fee_day (cutoff_date, one row), asked_statuses (status), and life_lines, all lines of the projects: the ledger's columns and line_id.
-- Lines whose parts nobody asks for may be sums of lines on one side of the cutoff.
-- An agreed fee is a budget of fees (type 2): of a project (priority 0), a phase (1) or a project task (2). At 1 and 2, expenses, and lines without
-- a phase or project task that has one, use none and earn their own fee.
-- Only some lines count (is_counted): up to the cutoff logged time and expenses, after it expenses and what is left to do (is_left): scheduled
-- lines of an asked status, or as firm as the less firm of their project and phase (S1).
WITH known_phases AS (
  SELECT phase_id, phase_status, end_date
  FROM marts.phases
  WHERE is_known
),
agreed AS (
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
  LEFT JOIN known_phases AS phases ON phases.phase_id = budgets.phase_id
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
  LEFT JOIN known_phases AS phases ON phases.phase_id = life_lines.phase_id
  CROSS JOIN fee_day
  WHERE life_lines.status <> pl_line_status('canceled')
),
chosen AS (
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
counted AS (
  SELECT
    chosen.*,
    chosen.is_expense OR chosen.is_left OR (chosen.kind = pl_line_kind('actual') AND chosen.is_done) AS is_counted
  FROM chosen
)
SELECT
  counted.*,
  CASE WHEN is_counted THEN COALESCE(fee, 0) ELSE 0 END AS used_fee,
  CASE WHEN is_counted AND billable THEN COALESCE(hours, 0) ELSE 0 END AS used_hours
FROM counted
