-- One row per person and day with work hours, some of which confirmed time off or a holiday takes.
-- stored: table
-- D4: full-day time off and holidays take all work hours; otherwise the hours of time off are added, up to the work hours.
-- part: own
-- copied: without rates
WITH absences AS (
  SELECT occurrences.people_id, occurrences.first_date, occurrences.last_date, time_off.is_full_day, time_off.hours
  FROM core.occurrences
  JOIN staging.time_off ON time_off.timeoff_id = occurrences.item_id
  WHERE occurrences.kind = 'time off'
  UNION ALL
  SELECT people_id, first_date, last_date, TRUE AS is_full_day, 0 AS hours
  FROM core.holidays
),
spans AS (
  SELECT
    absences.people_id,
    absences.is_full_day,
    absences.hours,
    GREATEST(absences.first_date, work_hours.valid_from) AS first_date,
    LEAST(absences.last_date, pl_add_days(work_hours.valid_to, -1)) AS last_date,
    work_hours.week_hours
  FROM absences
  JOIN core.work_hours
    ON work_hours.people_id = absences.people_id
    AND work_hours.valid_from <= absences.last_date
    AND work_hours.valid_to > absences.first_date
),
days AS (
  SELECT
    spans.people_id,
    spans.is_full_day,
    spans.hours,
    pl_add_days(spans.first_date, series.day) AS date,
    pl_hours_on(spans.week_hours, pl_add_days(spans.first_date, series.day)) AS work_hours
  FROM spans
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(spans.first_date, spans.last_date))) AS series (day)
),
sums AS (
  SELECT
    people_id,
    date,
    work_hours,
    MAX(CASE WHEN is_full_day THEN 1 ELSE 0 END) AS full_day_count,
    SUM(hours) AS hours
  FROM days
  WHERE work_hours > 0
  GROUP BY people_id, date, work_hours
)
SELECT
  people_id,
  date,
  work_hours,
  CAST(CASE WHEN full_day_count > 0 THEN work_hours ELSE LEAST(hours, work_hours) END AS DECIMAL(10, 6)) AS time_off_hours,
  full_day_count > 0 OR hours >= work_hours AS is_day_off
FROM sums
WHERE full_day_count > 0 OR hours > 0
