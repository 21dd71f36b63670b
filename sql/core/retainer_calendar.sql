-- One row per day of a period of a retainer (core.retainer_periods): a line finds its period by its day alone.
-- stored: table at rest
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
SELECT
  retainer_periods.project_id,
  retainer_periods.phase_key,
  pl_add_days(retainer_periods.first_date, series.day) AS date,
  retainer_periods.retainer_id,
  retainer_periods.number
FROM core.retainer_periods
CROSS JOIN UNNEST(pl_number_series(0, retainer_periods.days - 1)) AS series (day)
