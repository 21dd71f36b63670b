-- Refreshes core.budget_months where level IN ('project', 'phase') by project_id, month after core.ledger.
SELECT DISTINCT project_id, month
FROM changed_core_ledger
