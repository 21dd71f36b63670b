-- One row per confirmed time off and person that is neither for full days nor has hours: nothing is off (D4).
-- says: time off that takes no hours
-- remedy: Give it hours, or make it full days.
SELECT
  'warning' AS severity,
  'timeoffs' AS resource,
  CAST(time_off.timeoff_id AS VARCHAR) AS id,
  time_off.start_date AS date,
  'neither for full days nor with hours: person ' || CAST(items.people_id AS VARCHAR) || ' has 0 hours off' AS detail,
  time_off.hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  items.people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM core.items
JOIN staging.time_off ON time_off.timeoff_id = items.item_id
WHERE items.kind = 'time off' AND items.is_counted AND NOT time_off.is_full_day AND time_off.hours = 0
