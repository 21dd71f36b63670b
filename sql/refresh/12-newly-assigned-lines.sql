-- Refreshes core.ledger where kind = as_line_kind('actual') from core.actual_lines by people_id, logged_time_id after core.assignments.
-- Lines of logged time that were priced before their assignment was there.
SELECT changed.people_id, changed.logged_time_id
FROM changed_core_ledger AS changed
JOIN changed_core_assignments AS come
  ON come.people_id = changed.people_id
  AND come.project_id = changed.project_id
  AND come.phase_id = changed.phase_id
WHERE changed.logged_time_id IS NOT NULL AND come.stored_row IS NULL
