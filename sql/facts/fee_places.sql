-- One row per line of a project with agreed fees: the agreed fee that it may use, if any, on any day and with any statuses asked.
-- Parameter: life_lines, the lines, or sums of them: kind, project_id, phase_id, task_meta_id and status.
-- An agreed fee is a budget of fees (type 2): of a project (priority 0), a phase (1) or a project task (2). At 1 and 2, expenses, and lines without
-- a phase or project task that has one, use none and earn their own fee.
-- A line is firm if its status is at least as firm as the less firm of its project and phase (S1).
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
    COALESCE(phases.end_date, projects.end_date) AS fee_end_date,
    COALESCE(projects.status = 3, FALSE) OR COALESCE(phases.phase_status = 'completed', FALSE) AS is_completed,
    COALESCE(projects.status = 4, FALSE) OR COALESCE(phases.phase_status = 'canceled', FALSE) AS is_canceled
  FROM marts.budgets
  JOIN core.projects ON projects.project_id = budgets.project_id
  LEFT JOIN known_phases AS phases ON phases.phase_id = budgets.phase_id
  CROSS JOIN core.settings
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
    COALESCE(
      life_lines.status IN (pl_line_status('confirmed'), pl_line_status('completed'))
        OR (life_lines.status = pl_line_status('tentative') AND (levels.project_status <= 1 OR phases.phase_status IN ('draft', 'tentative')))
        OR levels.project_status = 0
        OR phases.phase_status = 'draft',
      FALSE
    ) AS is_firm
  FROM life_lines
  JOIN levels ON levels.project_id = life_lines.project_id
  LEFT JOIN known_phases AS phases ON phases.phase_id = life_lines.phase_id
  WHERE life_lines.status <> pl_line_status('canceled')
)
SELECT
  placed.*,
  agreed.level AS fee_level,
  agreed.agreed_fee,
  agreed.minor_units,
  agreed.fee_end_date,
  agreed.is_completed,
  agreed.is_canceled
FROM placed
LEFT JOIN agreed ON agreed.project_id = placed.project_id AND agreed.phase_key = placed.phase_key AND agreed.task_key = placed.task_key
