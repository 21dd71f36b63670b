-- Refreshes core.assignments by people_id, project_id, phase_id after rows gone from core.participations.
-- Those that came were made before the lines that need them.
SELECT people_id, project_id, phase_id
FROM changed_core_participations
WHERE stored_row IS NOT NULL
