-- Refreshes core.ledger where kind = pl_line_kind('expense') by project_expense_id after project_expenses, projects.
SELECT id AS project_expense_id
FROM changed_records
WHERE resource = 'project_expenses'
UNION
SELECT expenses.project_expense_id
FROM staging.expenses
JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = expenses.project_id
