-- One row per line of missing time (3.3.2) with a place (core.places): what it would earn if it were logged as planned (K7).
-- Hours are in millionths, as in fee_lives.
-- Work of a retainer with a price earns nothing more if it is logged.
-- Parameters: missing_lines, such lines of the whole lives of places, with the columns of fee_places, and fee_uses and fee_lives, the lives of the places.
-- Lines of a capped fee earn their part within it, after all that is logged. Those of a fixed fee earn together what the place would have earned with
-- all of them, less what it has earned without; it is shared by billable hours, in the order of the lines, so windows add up. A place that has ended has
-- earned its fee, and one that earns it evenly, at its end or by milestones earns nothing more with a line.
WITH done AS (
  SELECT project_id, phase_key, task_key, SUM(used_fee) AS done_fees
  FROM fee_uses
  WHERE is_done AND NOT is_plan AND agreed_fee IS NOT NULL
  GROUP BY project_id, phase_key, task_key
),
missed AS (
  SELECT
    missing_lines.line_id,
    missing_lines.task_id,
    missing_lines.people_id,
    missing_lines.date,
    missing_lines.project_id,
    missing_lines.phase_key,
    missing_lines.task_key,
    COALESCE(missing_lines.fee, 0) AS missing_fee,
    CASE WHEN missing_lines.billable AND missing_lines.hours IS NOT NULL THEN pl_hour_units(missing_lines.hours) ELSE 0 END AS missing_hours,
    fee_lives.contract,
    fee_lives.lines_earn,
    fee_lives.end_day IS NOT NULL AS has_ended,
    fee_lives.agreed_fee,
    fee_lives.fee_units,
    fee_lives.minor_units,
    fee_lives.done_hours,
    fee_lives.left_hours,
    COALESCE(done.done_fees, 0) AS done_fees
  FROM missing_lines
  JOIN fee_lives
    ON NOT fee_lives.is_plan
    AND fee_lives.project_id = missing_lines.project_id
    AND fee_lives.phase_key = missing_lines.phase_key
    AND fee_lives.task_key = missing_lines.task_key
  LEFT JOIN done
    ON done.project_id = missing_lines.project_id AND done.phase_key = missing_lines.phase_key AND done.task_key = missing_lines.task_key
),
running AS (
  SELECT
    missed.*,
    SUM(missing_fee) OVER (PARTITION BY project_id, phase_key, task_key) AS all_fees,
    SUM(missing_hours) OVER (PARTITION BY project_id, phase_key, task_key) AS all_hours,
    SUM(missing_fee) OVER (PARTITION BY project_id, phase_key, task_key ORDER BY date, line_id ROWS UNBOUNDED PRECEDING) AS fees_so_far,
    SUM(missing_hours) OVER (PARTITION BY project_id, phase_key, task_key ORDER BY date, line_id ROWS UNBOUNDED PRECEDING) AS hours_so_far
  FROM missed
),
fixed AS (
  SELECT
    running.*,
    CASE
      WHEN left_hours > 0 AND done_hours + left_hours + all_hours > 0
        THEN pl_share_of_units(fee_units, done_hours + all_hours, done_hours + left_hours + all_hours)
      ELSE pl_money_units(LEAST(agreed_fee, done_fees + all_fees), minor_units)
    END AS units_with,
    CASE
      WHEN lines_earn = 'progress' THEN pl_share_of_units(fee_units, done_hours, done_hours + left_hours)
      ELSE pl_money_units(LEAST(agreed_fee, done_fees), minor_units)
    END AS units_without
  FROM running
)
SELECT
  line_id,
  task_id,
  people_id,
  date,
  CASE
    WHEN contract = 'capped'
      THEN LEAST(agreed_fee, done_fees + fees_so_far) - LEAST(agreed_fee, done_fees + fees_so_far - missing_fee)
    WHEN has_ended OR lines_earn NOT IN ('progress', 'use') OR missing_hours = 0 THEN 0
    ELSE pl_money_of_units(
      pl_share_of_units(units_with - units_without, hours_so_far, all_hours)
        - pl_share_of_units(units_with - units_without, hours_so_far - missing_hours, all_hours),
      minor_units
    )
  END AS missing_revenue
FROM fixed
UNION ALL
SELECT missing_lines.line_id, missing_lines.task_id, missing_lines.people_id, missing_lines.date, 0 AS missing_revenue
FROM missing_lines
JOIN core.retainer_periods
  ON missing_lines.is_retained
  AND retainer_periods.project_id = missing_lines.project_id
  AND retainer_periods.phase_key = missing_lines.retained_phase
  AND retainer_periods.first_date <= missing_lines.date
  AND retainer_periods.last_date >= missing_lines.date
WHERE retainer_periods.price_units IS NOT NULL
