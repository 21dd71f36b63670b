-- One row per project with a budget and day on which some of it is used: how much is used up to that day, and how much will be.
-- Used counts billable hours, or fees with billed expenses, as the measure budget_used does, up to the default cutoff (marts.default_cutoff).
-- Forecast adds confirmed and completed work scheduled after that day, and later expenses. A fee that is unknown counts as nothing.
-- A budget burns out on the first day on which budget_forecast is more than budget_total.
-- key: project_id, date
-- refers: project_id projects, date calendar
WITH use_lines AS (
  SELECT
    ledger.project_id,
    ledger.date,
    ledger.kind,
    ledger.billable,
    ledger.hours,
    ledger.fee,
    ledger.date <= default_cutoff.cutoff_date AS is_to_date,
    ledger.status IN (pl_line_status('confirmed'), pl_line_status('completed')) AS is_asked
  FROM core.ledger
  CROSS JOIN marts.default_cutoff
),
days AS (
  SELECT
    budgets.project_id,
    uses.date,
    uses.is_left AS is_forecast,
    budgets.budget_unit,
    budgets.budget_total,
    SUM(COALESCE(CASE WHEN budgets.budget_type = 1 THEN uses.billable_hours ELSE uses.fee END, 0)) AS amount
  FROM marts.budgets
  JOIN facts.budget_uses AS uses ON uses.project_id = budgets.project_id
  WHERE budgets.level = 'project' AND uses.billable AND (uses.is_used OR uses.is_left)
  GROUP BY budgets.project_id, uses.date, uses.is_left, budgets.budget_unit, budgets.budget_total
)
SELECT
  days.project_id,
  projects.project,
  days.date,
  days.is_forecast,
  days.budget_unit,
  CAST(
    SUM(CASE WHEN days.is_forecast THEN 0 ELSE days.amount END) OVER (
      PARTITION BY days.project_id ORDER BY days.date ROWS UNBOUNDED PRECEDING
    ) AS DECIMAL(38, 6)
  ) AS budget_used,
  CAST(SUM(days.amount) OVER (PARTITION BY days.project_id ORDER BY days.date ROWS UNBOUNDED PRECEDING) AS DECIMAL(38, 6)) AS budget_forecast,
  days.budget_total
FROM days
JOIN marts.projects ON projects.project_id = days.project_id
