-- Refreshes core.budget_months where level = 'task' by task_meta_id, month after core.ledger.
SELECT DISTINCT task_meta_id, month
FROM changed_core_ledger
WHERE task_meta_id IS NOT NULL
