-- One row per expense: what its line doesn't say. Joined by project_expense_id, it keeps the expenses alone.
-- A record without times of its own has the time of the load that brought it.
SELECT project_expense_id, name AS expense, created, modified
FROM staging.expenses
