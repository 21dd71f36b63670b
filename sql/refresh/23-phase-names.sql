-- Refreshes marts.phases by phase_id after phases.
SELECT id AS phase_id
FROM changed_records
WHERE resource = 'phases'
