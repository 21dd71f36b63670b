-- One row: the company.
SELECT
  name,
  currency,
  time_zone,
  week_starts_on,
  fiscal_year_starts_in,
  pl_week(work_days_hours) AS week_hours
FROM source.settings
