-- Nobody has more time off on a day than work hours (D4), so capacity is never below 0 or above the work hours.
-- checked: core.time_off_days by people_id
SELECT people_id, date, work_hours, time_off_hours
FROM core.time_off_days
WHERE time_off_hours > work_hours OR time_off_hours <= 0
