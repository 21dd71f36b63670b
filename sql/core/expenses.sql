-- One row per expense, with its cost and fee before and after rounding (A1).
-- A3: the fee of a billable expense is its cost plus its markup, which is a percentage (0) or an amount (1).
-- S2: billable if the record is, unless its project is non-billable or internal.
-- part: where project_expense_id IN (SELECT project_expense_id FROM core.ledger)
-- copied: without rates
-- hides: unrounded_cost, cost
WITH billed AS (
  SELECT
    expenses.date,
    expenses.project_id,
    expenses.project_expense_id,
    expenses.is_billable
      AND NOT pl_is_internal(projects.is_non_billable, FALSE, projects.budget_priority, projects.contract, NULL) AS billable,
    expenses.cost,
    CASE
      WHEN expenses.markup_type = 1 THEN CAST(expenses.cost AS DECIMAL(30, 10)) + COALESCE(expenses.markup, 0)
      ELSE CAST(expenses.cost AS DECIMAL(19, 4)) * (100 + COALESCE(expenses.markup, 0)) * CAST(0.01 AS DECIMAL(2, 2))
    END AS billed_cost
  FROM staging.expenses
  LEFT JOIN staging.projects ON projects.project_id = expenses.project_id
)
SELECT
  billed.date,
  billed.project_id,
  billed.project_expense_id,
  billed.billable,
  billed.cost AS unrounded_cost,
  pl_round_money(billed.cost, settings.minor_units) AS cost,
  CASE WHEN billed.billable THEN billed.billed_cost ELSE 0 END AS unrounded_fee,
  CASE WHEN billed.billable THEN pl_round_money(billed.billed_cost, settings.minor_units) ELSE 0 END AS fee
FROM billed
CROSS JOIN core.settings
