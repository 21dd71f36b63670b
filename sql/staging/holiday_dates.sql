-- One row per single day in a holiday's list of days.
SELECT holiday_id, date
FROM source.holiday_dates
