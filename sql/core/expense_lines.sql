-- One row per expense: it has no person, no phase and no hours. S1: its line is confirmed.
-- A3: the cost is its cost; the fee, if billable, the cost with its markup in percent (0) or as an amount (1). S2: billable if the record
-- says so and its project does not say otherwise.
WITH priced AS (
  SELECT
    expenses.date,
    expenses.project_id,
    expenses.project_expense_id,
    expenses.is_billable AND NOT COALESCE(projects.is_non_billable, FALSE) AS is_billable,
    expenses.cost,
    CASE
      WHEN expenses.markup_type = 1 THEN CAST(expenses.cost AS DECIMAL(30, 10)) + COALESCE(expenses.markup, 0)
      ELSE CAST(expenses.cost AS DECIMAL(19, 4)) * (100 + COALESCE(expenses.markup, 0)) * CAST(0.01 AS DECIMAL(2, 2))
    END AS billed
  FROM staging.expenses
  LEFT JOIN staging.projects ON projects.project_id = expenses.project_id
)
SELECT
  pl_line_kind('expense') AS kind,
  priced.date,
  pl_first_of_month(priced.date) AS month,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS role_id,
  priced.project_id,
  0 AS phase_id,
  CAST(NULL AS BIGINT) AS task_meta_id,
  CAST(NULL AS BIGINT) AS task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  priced.project_expense_id,
  pl_line_status('confirmed') AS status,
  priced.is_billable AS billable,
  CAST(NULL AS DECIMAL(9, 4)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS cost_rate,
  pl_cost_rate_source(NULL) AS cost_rate_source,
  priced.cost AS unrounded_cost,
  pl_round_money(priced.cost, settings.minor_units) AS cost,
  CAST(NULL AS DECIMAL(18, 4)) AS bill_rate,
  pl_bill_rate_source(NULL) AS bill_rate_source,
  CASE WHEN priced.is_billable THEN priced.billed ELSE 0 END AS unrounded_fee,
  CASE WHEN priced.is_billable THEN pl_round_money(priced.billed, settings.minor_units) ELSE 0 END AS fee
FROM priced
CROSS JOIN core.settings
