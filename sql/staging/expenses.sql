-- One row per expense.
-- part: where project_expense_id IN (SELECT project_expense_id FROM core.ledger)
SELECT
  project_expense_id,
  project_id,
  name,
  date,
  cost,
  COALESCE(billable, FALSE) AS is_billable,
  markup,
  COALESCE(markup_type, 0) AS markup_type,
  created,
  modified
FROM source.project_expenses
