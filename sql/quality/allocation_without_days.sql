-- One row per allocation with hours and person that makes no lines: every day is a day off or outside the employment (D6).
-- says: allocations without a working day
-- remedy: Move them, or mend the work hours or time off of the person.
-- tells_of: people
SELECT
  'warning' AS severity,
  'tasks' AS resource,
  CAST(items.item_id AS VARCHAR) AS id,
  items.start_date AS date,
  'person ' || CAST(items.people_id AS VARCHAR) || ' has only days off, or days outside the employment, in it' AS detail,
  allocations.hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  items.people_id,
  allocations.project_id
FROM core.items
JOIN core.allocations ON allocations.task_id = items.item_id
LEFT JOIN (SELECT DISTINCT task_id, people_id FROM core.ledger WHERE kind = pl_line_kind('scheduled')) AS worked
  ON worked.task_id = items.item_id AND worked.people_id = items.people_id
WHERE items.kind = 'allocation' AND items.is_counted AND allocations.status <> pl_line_status('canceled') AND worked.task_id IS NULL
