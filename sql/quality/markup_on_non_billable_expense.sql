-- One row per expense with a markup that is never billed, because the expense isn't billable (A3).
-- The detail leaves out the markup, because everyone may read it.
-- says: markups on expenses that are not billable
-- remedy: Remove the markup, or make the expense billable.
SELECT
  'notice' AS severity,
  'project_expenses' AS resource,
  CAST(expenses.project_expense_id AS VARCHAR) AS id,
  expenses.date,
  'a markup on an expense that is not billable' AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  priced.cost AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  expenses.project_id
FROM staging.expenses
JOIN core.expenses AS priced ON priced.project_expense_id = expenses.project_expense_id
WHERE expenses.markup <> 0 AND NOT expenses.is_billable
