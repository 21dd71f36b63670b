-- One row per holiday and range of its days: a range of its own, single dates, or both.
SELECT holiday_id, name, region_id, start_date AS first_date, end_date AS last_date
FROM staging.holidays
WHERE start_date IS NOT NULL
UNION ALL
SELECT holidays.holiday_id, holidays.name, holidays.region_id, holiday_dates.date AS first_date, holiday_dates.date AS last_date
FROM staging.holiday_dates
JOIN staging.holidays ON holidays.holiday_id = holiday_dates.holiday_id
