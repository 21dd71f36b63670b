-- One row: the company.
SELECT
  name,
  currency,
  time_zone,
  week_starts_on,
  fiscal_year_starts_in,
  work_days_hours[1] AS sunday_hours,
  work_days_hours[2] AS monday_hours,
  work_days_hours[3] AS tuesday_hours,
  work_days_hours[4] AS wednesday_hours,
  work_days_hours[5] AS thursday_hours,
  work_days_hours[6] AS friday_hours,
  work_days_hours[7] AS saturday_hours
FROM source.settings
