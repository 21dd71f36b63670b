-- One row per retainer, row of fee_day and day on which it earns something that no line carries (T6): each day of a period that is earned evenly; by uses, the
-- first day of a lot, for the debts that it pays, and the day on which its rest lapses.
-- Parameters: retainer_walk, and fee_window (start_date and end_date, one row), the days that are asked for.
WITH retained AS (
  SELECT
    walk.*,
    CASE WHEN walk.first_date > fee_window.start_date THEN walk.first_date ELSE fee_window.start_date END AS first_shown,
    LEAST(walk.last_date, fee_window.end_date) AS last_shown
  FROM retainer_walk AS walk
  CROSS JOIN fee_window
  WHERE walk.price_units IS NOT NULL
),
retained_days AS (
  SELECT
    retained.*,
    pl_add_days(first_shown, series.day) AS date,
    pl_days_between(first_date, first_shown) + series.day + 1 AS place
  FROM retained
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_shown, last_shown))) AS series (day)
  WHERE recognise = 'evenly'
),
lapsed AS (
  SELECT
    retained.*,
    CASE
      WHEN ends.reached_units < retained.capacity_before THEN 0
      WHEN ends.reached_units > retained.capacity_so_far THEN retained.capacity
      ELSE ends.reached_units - retained.capacity_before
    END AS used_of_lot
  FROM retained
  JOIN retainer_walk AS ends
    ON ends.is_plan = retained.is_plan AND ends.retainer_id = retained.retainer_id AND ends.last_date = retained.lapse_date
  WHERE retained.recognise = 'as_used'
)
SELECT
  is_plan, retainer_id, project_id, phase_key, status, cutoff_date, minor_units, date,
  pl_share_of_units(price_units, place, days) - pl_share_of_units(price_units, place - 1, days) AS units
FROM retained_days
UNION ALL
SELECT
  is_plan, retainer_id, project_id, phase_key, status, cutoff_date, minor_units, first_date AS date,
  pl_share_of_units(price_units, LEAST(start_units, capacity_so_far) - capacity_before, capacity) AS units
FROM retained
WHERE recognise = 'as_used' AND start_units > capacity_before
UNION ALL
SELECT
  is_plan, retainer_id, project_id, phase_key, status, cutoff_date, minor_units, lapse_date AS date,
  price_units - COALESCE(pl_share_of_units(price_units, used_of_lot, capacity), 0) AS units
FROM lapsed
