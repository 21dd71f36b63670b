-- Refreshes core.spans by people_id after tasks, projects, core.allocations, core.work_hours.
-- A person taken off an allocation is named by its record.
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
