-- One row per dated change of a person's weekly hours.
-- part: own
SELECT
  people_id,
  position,
  effective_date AS valid_from,
  pl_week(work_days_hours) AS week_hours
FROM source.work_days_hours_history
