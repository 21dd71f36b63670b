-- Every day off of a person is in the mart of time off exactly once.
-- checked: builds
SELECT days.people_id, days.date, COUNT(time_off.date) AS row_count
FROM core.time_off_days AS days
LEFT JOIN marts.time_off ON time_off.people_id = days.people_id AND time_off.date = days.date
GROUP BY days.people_id, days.date
HAVING COUNT(time_off.date) <> 1
