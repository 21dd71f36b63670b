-- One row per line of work with a retainer: the period of its day, if there is one, and what it uses of the lots (T3), in units of core.retainer_periods.
-- Parameter: retained_lines, with the columns of fee_uses, of lines that are retained (fee_places), or sums of those of a day.
-- Expenses use no lot, and neither does work that counts in no measure.
SELECT
  retained_lines.*,
  retainer_periods.retainer_id,
  retainer_periods.number,
  retainer_periods.recognise,
  retainer_periods.overage,
  retainer_periods.minor_units AS lot_minor_units,
  retainer_periods.status AS place_status,
  CASE
    WHEN retainer_periods.retainer_id IS NULL OR retained_lines.is_expense OR NOT retained_lines.is_counted THEN 0
    WHEN retainer_periods.counts = 'billable' AND NOT retained_lines.billable THEN 0
    WHEN retainer_periods.unit = 'hours' THEN pl_hour_units(COALESCE(retained_lines.hours, 0))
    ELSE pl_money_units(COALESCE(retained_lines.fee, 0), retainer_periods.minor_units)
  END AS lot_units
FROM retained_lines
LEFT JOIN core.retainer_calendar
  ON retainer_calendar.project_id = retained_lines.project_id
  AND retainer_calendar.phase_key = retained_lines.retained_phase
  AND retainer_calendar.date = retained_lines.date
LEFT JOIN core.retainer_periods
  ON retainer_periods.retainer_id = retainer_calendar.retainer_id AND retainer_periods.number = retainer_calendar.number
