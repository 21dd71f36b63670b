-- One row per expense, the record behind its line. An inner join by project_expense_id keeps only expenses.
-- A record without times of its own has the time of the load that brought it.
-- key: project_expense_id
SELECT project_expense_id, name AS expense, created, modified
FROM staging.expenses
