-- A day with time off has one set of work hours, from the person's week, so capacity is the work hours less time off (D5).
-- checked: core.work_hours, core.time_off_days by people_id
SELECT
  days.people_id,
  days.date,
  COUNT(work_hours.people_id) AS range_count,
  MIN(days.work_hours) AS work_hours,
  MIN(days.time_off_hours) AS time_off_hours
FROM core.time_off_days AS days
LEFT JOIN core.work_hours
  ON work_hours.people_id = days.people_id
  AND work_hours.valid_from <= days.date
  AND work_hours.valid_to > days.date
GROUP BY days.people_id, days.date
HAVING COUNT(work_hours.people_id) <> 1 OR MIN(pl_hours_on(work_hours.week_hours, days.date)) <> MIN(days.work_hours)
