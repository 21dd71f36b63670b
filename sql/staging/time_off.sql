-- One row per time off.
-- Without the flag, time off without hours is for full days (D4).
SELECT
  timeoff_id,
  people_id,
  timeoff_type_id,
  start_date,
  end_date,
  COALESCE(hours, 0) AS hours,
  COALESCE(full_day, hours IS NULL) AS is_full_day,
  COALESCE(repeat_state, 0) AS repeat_state,
  repeat_end_date,
  COALESCE(status, 2) AS status
FROM source.timeoffs
