-- One row per holiday, person whom it concerns and range of its days.
-- D4: a holiday concerns everybody or, with a region, the people of that region. It may have a range of days, single days, or both.
WITH spans AS (
  SELECT holiday_id, region_id, start_date AS first_date, end_date AS last_date
  FROM staging.holidays
  WHERE start_date IS NOT NULL
  UNION ALL
  SELECT holidays.holiday_id, holidays.region_id, holiday_dates.date AS first_date, holiday_dates.date AS last_date
  FROM staging.holiday_dates
  JOIN staging.holidays ON holidays.holiday_id = holiday_dates.holiday_id
)
SELECT spans.holiday_id, people.people_id, spans.first_date, spans.last_date
FROM spans
JOIN core.people ON people.region_id = spans.region_id
UNION ALL
SELECT spans.holiday_id, people.people_id, spans.first_date, spans.last_date
FROM spans
CROSS JOIN core.people
WHERE spans.region_id IS NULL
