-- One row: the default cutoff (3.1), the last day on which logged time counts.
-- Parameters: clock, one row: today.
-- It is the last day with logged time of anybody, on or before today, and goes on over the days that follow on which nobody has capacity, up to today.
-- Without such a day it is today. A record of a later day moves nothing.
SELECT
  MAX(CASE WHEN logged_days.idle_until < clock.today THEN logged_days.idle_until ELSE clock.today END) AS cutoff_date,
  MAX(logged_days.date) AS last_logged_date
FROM clock
LEFT JOIN core.logged_days ON logged_days.date <= clock.today
