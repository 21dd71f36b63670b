-- Refreshes core.participations by people_id, project_id, phase_id after rows gone from core.ledger.
-- What the lines that went brought together, and those that came in their place don't.
SELECT gone.people_id, gone.project_id, gone.phase_id
FROM changed_core_ledger AS gone
LEFT JOIN changed_core_ledger AS come
  ON come.logged_time_id = gone.logged_time_id
  AND come.people_id = gone.people_id
  AND come.project_id = gone.project_id
  AND come.phase_id = gone.phase_id
  AND come.stored_row IS NULL
WHERE gone.logged_time_id IS NOT NULL AND gone.stored_row IS NOT NULL AND come.people_id IS NULL
