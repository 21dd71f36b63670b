-- One row per person and day on which the person can work (D5): capacity is work hours less time off.
-- Parameters: able_days, the days: people_id, date and week_hours, the weekly hours of the range of core.work_hours that has capacity on the day.
SELECT
  able_days.*,
  pl_hours_on(able_days.week_hours, able_days.date) AS work_hours,
  COALESCE(time_off_days.time_off_hours, 0) AS time_off_hours,
  pl_hours_on(able_days.week_hours, able_days.date) - COALESCE(time_off_days.time_off_hours, 0) AS capacity_hours
FROM able_days
LEFT JOIN core.time_off_days ON time_off_days.people_id = able_days.people_id AND time_off_days.date = able_days.date
