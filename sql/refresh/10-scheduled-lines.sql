-- Refreshes core.ledger where kind = pl_line_kind('scheduled') by people_id after tasks, projects, core.allocations, core.work_hours, core.time_off_days, core.person_rates, rows gone from core.assignments.
-- Who was taken off an allocation is named by its record. New rates of a project matter to those who are scheduled on it;
-- an assignment that is new has no lines but those of the allocation that made it.
-- D2: what repeats without an end of its own repeats to the end of its project.
WITH changed AS (
  SELECT task_id
  FROM changed_core_allocations
  UNION
  SELECT allocations.task_id
  FROM staging.allocations
  JOIN changed_records ON changed_records.resource = 'projects' AND changed_records.id = allocations.project_id
  WHERE allocations.repeat_state > 0 AND allocations.repeat_end_date IS NULL
)
SELECT people_id
FROM named_people
WHERE resource = 'tasks'
UNION
SELECT allocations.people_id
FROM staging.allocations
JOIN changed ON changed.task_id = allocations.task_id
WHERE allocations.people_id IS NOT NULL
UNION
SELECT allocation_people.people_id
FROM staging.allocation_people
JOIN changed ON changed.task_id = allocation_people.task_id
UNION
SELECT people_id
FROM changed_core_work_hours
UNION
SELECT people_id
FROM changed_core_time_off_days
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
WHERE ledger.kind = pl_line_kind('scheduled') AND gone.stored_row IS NOT NULL
