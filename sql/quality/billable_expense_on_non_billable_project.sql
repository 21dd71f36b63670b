-- One row per expense marked as billable in a project that isn't: its fee is 0 (S2).
-- says: billable expenses on projects that are not billable
-- remedy: Make the project billable, or the expense not.
SELECT
  'warning' AS severity,
  'project_expenses' AS resource,
  CAST(expenses.project_expense_id AS VARCHAR) AS id,
  expenses.date,
  'project ' || CAST(expenses.project_id AS VARCHAR) || ' is not billable, so the expense is not billed' AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  priced.cost AS amount_at_risk,
  CAST(NULL AS BIGINT) AS people_id,
  expenses.project_id
FROM staging.expenses
JOIN staging.projects ON projects.project_id = expenses.project_id
JOIN core.expenses AS priced ON priced.project_expense_id = expenses.project_expense_id
WHERE expenses.is_billable AND projects.is_non_billable
