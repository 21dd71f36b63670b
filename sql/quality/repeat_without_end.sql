-- One row per allocation or confirmed time off and person that repeats without an end: the repeats stop at the end of the project (for time off: of
-- the employment), or after 2 years (D2).
-- says: repeats without an end
-- remedy: Give each repeat or its project an end date.
SELECT
  'notice' AS severity,
  'tasks' AS resource,
  CAST(allocations.task_id AS VARCHAR) AS id,
  allocations.start_date AS date,
  'repeats without an end; counted until ' || CAST(items.repeat_end_date AS VARCHAR) AS detail,
  allocations.hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  items.people_id,
  allocations.project_id
FROM core.items
JOIN core.allocations ON allocations.task_id = items.item_id
WHERE items.kind = 'allocation'
  AND items.is_counted
  AND items.repeat_state > 0
  AND allocations.repeat_end_date IS NULL
  AND allocations.status <> 'canceled'
UNION ALL
SELECT
  'notice' AS severity,
  'timeoffs' AS resource,
  CAST(time_off.timeoff_id AS VARCHAR) AS id,
  time_off.start_date AS date,
  'repeats without an end; counted until ' || CAST(items.repeat_end_date AS VARCHAR) AS detail,
  time_off.hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  items.people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM core.items
JOIN staging.time_off ON time_off.timeoff_id = items.item_id
WHERE items.kind = 'time off' AND items.is_counted AND items.repeat_state > 0 AND time_off.repeat_end_date IS NULL
