-- Refreshes core.assignments by people_id, project_id, phase_id after core.participations.
SELECT people_id, project_id, phase_id
FROM changed_core_participations
