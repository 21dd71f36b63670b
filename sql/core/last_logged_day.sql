-- One row: the last day that has logged time of anybody, up to the day of the last load or change; null if there is none.
-- Days after it are plan: nobody has logged time on them yet, and a record of the future moves nothing.
SELECT MAX(logged_hours.date) AS last_logged_date
FROM core.logged_hours
CROSS JOIN core.loaded_day
WHERE logged_hours.hours > 0 AND logged_hours.date <= loaded_day.loaded_date
