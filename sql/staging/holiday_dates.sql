-- One row per date in a holiday's list of dates.
SELECT holiday_id, date
FROM source.holiday_dates
