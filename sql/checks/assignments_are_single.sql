-- A person has one team role and one bill rate in a project and phase, so the ranges of marts.rates never overlap.
-- checked: core.assignments by people_id
SELECT people_id, project_id, phase_id, COUNT(*) AS row_count
FROM core.assignments
GROUP BY people_id, project_id, phase_id
HAVING COUNT(*) > 1
