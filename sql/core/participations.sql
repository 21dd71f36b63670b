-- One row per person, project and phase that an allocation or logged time brings together.
-- Stored as a table.
SELECT items.people_id, allocations.project_id, allocations.phase_id
FROM core.items
JOIN core.allocations ON allocations.task_id = items.item_id
WHERE items.kind = 'allocation' AND items.is_counted AND items.people_id IS NOT NULL
UNION
SELECT people_id, project_id, phase_id
FROM core.logged_time
WHERE hours > 0
