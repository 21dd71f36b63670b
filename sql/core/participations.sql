-- One row per combination of person, project and phase in allocations or logged time.
-- stored: table
SELECT occurrences.people_id, allocations.project_id, allocations.phase_id
FROM core.occurrences
JOIN core.allocations ON allocations.task_id = occurrences.item_id
WHERE occurrences.kind = 'allocation' AND occurrences.people_id IS NOT NULL
UNION
SELECT people_id, project_id, phase_id
FROM core.logged_time
WHERE hours > 0
