-- Refreshes core.assignments by people_id, project_id, phase_id after core.ledger.
-- Logged time brings a person, project and phase together, or has done so; most of it is on what is together already.
SELECT gone.people_id, gone.project_id, gone.phase_id
FROM changed_core_ledger AS gone
LEFT JOIN changed_core_ledger AS come
  ON come.logged_time_id = gone.logged_time_id
  AND come.people_id = gone.people_id
  AND come.project_id = gone.project_id
  AND come.phase_id = gone.phase_id
  AND come.stored_row IS NULL
WHERE gone.stored_row IS NOT NULL AND come.people_id IS NULL
UNION
SELECT changed.people_id, changed.project_id, changed.phase_id
FROM changed_core_ledger AS changed
LEFT JOIN core.assignments
  ON assignments.people_id = changed.people_id
  AND assignments.project_id = changed.project_id
  AND assignments.phase_id = changed.phase_id
WHERE assignments.people_id IS NULL
