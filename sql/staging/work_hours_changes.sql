-- One row per dated change of a person's weekly hours.
SELECT
  people_id,
  position,
  effective_date AS valid_from,
  work_days_hours[1] AS sunday_hours,
  work_days_hours[2] AS monday_hours,
  work_days_hours[3] AS tuesday_hours,
  work_days_hours[4] AS wednesday_hours,
  work_days_hours[5] AS thursday_hours,
  work_days_hours[6] AS friday_hours,
  work_days_hours[7] AS saturday_hours
FROM source.work_days_hours_history
