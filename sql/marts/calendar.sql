-- One row per day of the fiscal years with lines, or with days on which contracts may earn without one (K4), and of the year after them.
-- week, month, quarter and year are the first days of the company's periods, as in the reports. fiscal_year is the year in which a fiscal year ends.
-- iso_year and iso_week number the weeks of ISO 8601: they start on Monday, and belong to the year of their Thursday.
-- A work day has hours in the company's week and is no holiday of everybody. Of several such holidays on a day, holiday names one.
-- key: date
WITH fixed AS (
  SELECT *
  FROM core.places
  WHERE contract = 'fixed' AND NOT is_canceled
),
dated AS (
  SELECT date FROM core.ledger
  UNION ALL
  SELECT start_date AS date FROM fixed WHERE recognise = 'evenly'
  UNION ALL
  SELECT end_date AS date FROM fixed
  UNION ALL
  SELECT ends_on AS date FROM fixed
  UNION ALL
  SELECT date FROM core.fee_milestones
  UNION ALL
  SELECT date FROM core.fee_progress WHERE project_id IN (SELECT project_id FROM fixed)
  UNION ALL
  SELECT first_date AS date FROM core.retainer_periods
  UNION ALL
  SELECT COALESCE(lapse_date, last_date) AS date FROM core.retainer_periods
),
bounds AS (
  SELECT
    pl_fiscal_start(MIN(dated.date), 12, settings.fiscal_year_starts_in) AS first_date,
    LEAST(
      pl_add_months(pl_fiscal_start(MAX(dated.date), 12, settings.fiscal_year_starts_in), 24),
      pl_after_last_day()
    ) AS end_date
  FROM dated
  CROSS JOIN core.settings
  GROUP BY settings.fiscal_year_starts_in
),
days AS (
  SELECT pl_add_days(bounds.first_date, 7 * weeks.number + days_of_week.number) AS date, bounds.end_date
  FROM bounds
  CROSS JOIN UNNEST(pl_number_series(0, pl_whole_steps(pl_days_between(bounds.first_date, bounds.end_date), 7))) AS weeks (number)
  CROSS JOIN UNNEST(pl_number_series(0, 6)) AS days_of_week (number)
),
periods AS (
  SELECT
    days.date,
    pl_weekday(days.date) AS weekday,
    pl_week_start(days.date, settings.week_starts_on) AS week,
    pl_first_of_month(days.date) AS month,
    pl_fiscal_start(days.date, 3, settings.fiscal_year_starts_in) AS quarter,
    pl_fiscal_start(days.date, 12, settings.fiscal_year_starts_in) AS year,
    pl_add_days(pl_week_start(days.date, 1), 3) AS iso_thursday,
    pl_hours_on(settings.week_hours, days.date) AS company_hours
  FROM days
  CROSS JOIN core.settings
  WHERE days.date < days.end_date
),
holidays AS (
  SELECT periods.date, MIN(COALESCE(spans.name, 'Holiday')) AS holiday
  FROM periods
  JOIN core.holiday_spans AS spans ON spans.first_date <= periods.date AND spans.last_date >= periods.date
  WHERE spans.region_id IS NULL
  GROUP BY periods.date
)
SELECT
  periods.date,
  periods.weekday,
  CASE periods.weekday
    WHEN 0 THEN 'Sunday'
    WHEN 1 THEN 'Monday'
    WHEN 2 THEN 'Tuesday'
    WHEN 3 THEN 'Wednesday'
    WHEN 4 THEN 'Thursday'
    WHEN 5 THEN 'Friday'
    ELSE 'Saturday'
  END AS weekday_name,
  periods.week,
  periods.month,
  periods.quarter,
  periods.year,
  pl_year(pl_add_months(periods.year, 11)) AS fiscal_year,
  1 + pl_whole_steps(pl_months_between(periods.year, periods.month), 3) AS fiscal_quarter,
  1 + pl_months_between(periods.year, periods.month) AS fiscal_month,
  periods.company_hours > 0 AND holidays.date IS NULL AS is_work_day,
  holidays.holiday,
  pl_year(periods.iso_thursday) AS iso_year,
  CAST(1 + pl_whole_steps(pl_days_between(pl_fiscal_start(periods.iso_thursday, 12, 1), periods.iso_thursday), 7) AS INTEGER) AS iso_week
FROM periods
LEFT JOIN holidays ON holidays.date = periods.date
