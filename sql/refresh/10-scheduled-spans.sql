-- Refreshes core.scheduled_spans by people_id after tasks, projects, core.allocations, core.work_hours, core.person_rates, rows gone from core.assignments.
-- Who was taken off an allocation is named by its record. New rates of a project matter to those who are scheduled on it;
-- an assignment that is new has no spans but those of the allocation that made it.
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
FROM changed_core_person_rates
UNION
SELECT spans.people_id
FROM core.scheduled_spans AS spans
JOIN changed_core_assignments AS assignments
  ON assignments.people_id = spans.people_id
  AND assignments.project_id = spans.project_id
  AND assignments.phase_id = spans.phase_id
