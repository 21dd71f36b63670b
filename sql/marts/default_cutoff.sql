-- One row per company: the default cutoff, the last day on which logged time counts, as reports without cutoff_date have it on the day of the last load
-- or change. It is the last day with logged time of anybody, on or before that day, and goes on over the days that follow on which nobody has capacity,
-- such as a weekend; without logged time it is the day of the last load or change. Later days are plan. A report of a closed period has another: the last
-- day of the period.
-- key: cutoff_date
WITH clock AS (
  SELECT loaded_date AS today
  FROM core.loaded_day
)
SELECT cutoff_date, last_logged_date
FROM facts.default_cutoff AS cutoff
