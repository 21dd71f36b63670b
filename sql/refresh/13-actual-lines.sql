-- Refreshes core.ledger where kind = pl_line_kind('actual') from core.priced by people_id after tasks, project_tasks, core.person_rates, rows gone from core.assignments.
-- D8, S2: logged time without a project moves with its allocation; with its project task it moves, and is billable or not.
-- An assignment that is new has no lines but those of the logged time that made it.
SELECT logged_time.people_id
FROM staging.logged_time
JOIN changed_records ON changed_records.resource = 'tasks' AND changed_records.id = logged_time.task_id
WHERE logged_time.project_id IS NULL
UNION
SELECT logged_time.people_id
FROM staging.logged_time
JOIN changed_records ON changed_records.resource = 'project_tasks' AND changed_records.id = logged_time.task_meta_id
UNION
SELECT people_id
FROM changed_core_person_rates
UNION
SELECT ledger.people_id
FROM core.ledger
JOIN changed_core_assignments AS gone
  ON gone.people_id = ledger.people_id
  AND gone.project_id = ledger.project_id
  AND gone.phase_id = ledger.phase_id
WHERE ledger.kind = pl_line_kind('actual') AND gone.stored_row IS NOT NULL
