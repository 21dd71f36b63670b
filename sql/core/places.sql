-- One row per place whose contract decides what it earns (K1): a project, phase or project task, by the priority of its project's budgets, with an
-- amount of money: a total, whatever the type of the budget says, but one of hours. All other work earns its fees, and has no place here.
-- stored: table
-- Work of a retainer, of the phase or the project, has no place (K1).
-- The contract is that of the phase, else of the project. Without one, a budget of fees (type 2) is fixed, and any other earns its fees. What is
-- non-billable is internal, whatever the contract.
-- By has_expenses, billed expenses are part of the agreed fee. Expenses are of projects, so that is possible at priority 0 alone.
-- recognise is progress where another way lacks what it needs: evenly two days, milestones a project or phase (K2).
-- ends_on is the day on which it ends by its records: the completion of a completed place, else its end (K3). The end of a project that may be computed
-- (core.doubtful_ends) is none.
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH budgets AS (
  SELECT 'project' AS level, project_id, 0 AS phase_id, 0 AS task_meta_id, 0 AS budget_priority, budget_total
  FROM staging.projects
  UNION ALL
  SELECT 'phase' AS level, project_id, phase_id, 0 AS task_meta_id, 1 AS budget_priority, budget_total
  FROM staging.phases
  UNION ALL
  SELECT 'task' AS level, project_id, phase_id, task_meta_id, 2 AS budget_priority, budget AS budget_total
  FROM core.project_tasks
),
known AS (
  SELECT
    budgets.level,
    budgets.project_id,
    budgets.phase_id,
    budgets.task_meta_id,
    settings.minor_units,
    pl_round_money(budgets.budget_total, settings.minor_units) AS agreed_fee,
    pl_is_internal(projects.is_non_billable, phases.is_non_billable, projects.budget_priority, projects.contract, phases.contract) AS is_internal,
    COALESCE(phases.contract, projects.contract, CASE WHEN projects.budget_type = 2 THEN 'fixed' ELSE 'time' END) AS contract,
    COALESCE(phases.recognise, projects.recognise, 'progress') AS recognise,
    budgets.level = 'project' AND COALESCE(projects.fee_expenses, 'inside') = 'inside' AS has_expenses,
    COALESCE(phases.start_date, projects.start_date) AS start_date,
    COALESCE(phases.end_date, CASE WHEN doubtful_ends.project_id IS NULL THEN projects.end_date END) AS end_date,
    projects.status AS project_status,
    projects.status = 3 OR COALESCE(phases.status = 3, FALSE) AS is_completed,
    projects.status = 4 OR COALESCE(phases.status = 4, FALSE) AS is_canceled,
    LEAST(projects.status, COALESCE(phases.status, projects.status)) AS least_status,
    COALESCE(
      CASE WHEN phases.status = 3 THEN phases.completed_on END,
      CASE WHEN projects.status = 3 THEN projects.completed_on END
    ) AS completed_on
  FROM budgets
  JOIN staging.projects ON projects.project_id = budgets.project_id AND projects.budget_priority = budgets.budget_priority
  LEFT JOIN staging.phases ON phases.phase_id = budgets.phase_id
  LEFT JOIN core.doubtful_ends ON doubtful_ends.project_id = budgets.project_id
  LEFT JOIN (SELECT DISTINCT project_id, phase_id FROM staging.retainers) AS retained
    ON retained.project_id = budgets.project_id AND (retained.phase_id = 0 OR retained.phase_id = budgets.phase_id)
  CROSS JOIN core.settings
  WHERE COALESCE(projects.budget_type, 0) <> 1 AND budgets.budget_total IS NOT NULL AND retained.project_id IS NULL
)
SELECT
  level,
  project_id,
  phase_id,
  task_meta_id,
  CASE WHEN level = 'phase' THEN phase_id ELSE 0 END AS phase_key,
  task_meta_id AS task_key,
  minor_units,
  agreed_fee,
  contract,
  CASE
    WHEN recognise = 'evenly' AND (start_date IS NULL OR end_date IS NULL) THEN 'progress'
    WHEN recognise = 'milestones' AND level = 'task' THEN 'progress'
    ELSE recognise
  END AS recognise,
  has_expenses,
  start_date,
  end_date,
  COALESCE(completed_on, end_date) AS ends_on,
  completed_on,
  project_status,
  is_completed,
  is_canceled,
  pl_line_status(
    CASE
      WHEN is_canceled THEN 'canceled'
      WHEN least_status = 0 THEN 'draft'
      WHEN least_status = 1 THEN 'tentative'
      WHEN is_completed THEN 'completed'
      ELSE 'confirmed'
    END
  ) AS status
FROM known
WHERE contract IN ('fixed', 'capped') AND NOT is_internal
