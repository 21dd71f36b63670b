-- One row per holiday.
SELECT holiday_id, name, region_id, date AS start_date, COALESCE(end_date, date) AS end_date
FROM source.holidays
