-- One row per day with logged time of anybody: how far the default cutoff goes on from it (3.1).
-- stored: table at rest
-- idle_until is the last of the days that follow on which nobody has capacity (D5), such as a weekend or a holiday of all; the day itself if somebody
-- has some on the next day, or logged time on it. Days more than 92 days after the last load or change count as days of work.
-- part: all
-- copied: without rates
WITH logged AS (
  SELECT
    logged_hours.date,
    pl_add_days(LEAD(logged_hours.date, 1, pl_after_last_day()) OVER (ORDER BY logged_hours.date), -1) AS last_silent_date,
    pl_add_days(loaded_day.loaded_date, 92) AS last_known_date
  FROM core.logged_hours
  CROSS JOIN core.loaded_day
  WHERE logged_hours.hours > 0
),
gaps AS (
  SELECT date AS logged_date, LEAST(last_silent_date, last_known_date) AS last_date
  FROM logged
  WHERE date < LEAST(last_silent_date, last_known_date)
),
silent_days AS (
  SELECT gaps.logged_date, pl_add_days(gaps.logged_date, series.day) AS date
  FROM gaps
  CROSS JOIN UNNEST(pl_number_series(1, pl_days_between(gaps.logged_date, gaps.last_date))) AS series (day)
),
able_weeks AS (
  SELECT DISTINCT valid_from, capacity_to, work_weekdays
  FROM core.work_hours
  WHERE capacity_to IS NOT NULL
),
week_days AS (
  SELECT DISTINCT silent_days.date
  FROM silent_days
  JOIN able_weeks ON able_weeks.valid_from <= silent_days.date AND able_weeks.capacity_to > silent_days.date
  WHERE pl_has_weekday(able_weeks.work_weekdays, pl_weekday(silent_days.date))
),
able_days AS (
  SELECT work_hours.people_id, week_days.date, work_hours.week_hours
  FROM week_days
  JOIN core.work_hours ON work_hours.valid_from <= week_days.date AND work_hours.capacity_to > week_days.date
  WHERE pl_has_weekday(work_hours.work_weekdays, pl_weekday(week_days.date))
),
capacity AS (
  SELECT date
  FROM facts.capacity_days AS capacity_days
  GROUP BY date
  HAVING SUM(capacity_hours) > 0
),
ends AS (
  SELECT silent_days.logged_date, MIN(capacity.date) AS work_date
  FROM silent_days
  JOIN capacity ON capacity.date = silent_days.date
  GROUP BY silent_days.logged_date
)
SELECT logged.date, COALESCE(pl_add_days(ends.work_date, -1), gaps.last_date, logged.date) AS idle_until
FROM logged
LEFT JOIN gaps ON gaps.logged_date = logged.date
LEFT JOIN ends ON ends.logged_date = logged.date
