-- One row per lot of a retainer, row of fee_day, day and kind of change of its balance (T4): what the lot opens with, what lines use of it, and what lapses.
-- Parameters: retainer_walk and retainer_takes.
-- A balance is the sum of all up to a day. A use of a lot that opens later is a debt, on the day of the use.
WITH uses AS (
  SELECT
    takes.is_plan,
    retainer_periods.retainer_id,
    retainer_periods.number,
    takes.date,
    SUM(
      CASE WHEN takes.take_end < retainer_periods.capacity_so_far THEN takes.take_end ELSE retainer_periods.capacity_so_far END
        - CASE WHEN takes.take_start > retainer_periods.capacity_before THEN takes.take_start ELSE retainer_periods.capacity_before END
    ) AS units
  FROM retainer_takes AS takes
  JOIN core.retainer_periods
    ON retainer_periods.retainer_id = takes.retainer_id AND retainer_periods.capacity_so_far > takes.take_start AND retainer_periods.capacity_before < takes.take_end
  WHERE takes.take_end > takes.take_start AND retainer_periods.capacity > 0
  GROUP BY takes.is_plan, retainer_periods.retainer_id, retainer_periods.number, takes.date
),
lapses AS (
  SELECT
    lots.is_plan,
    lots.retainer_id,
    lots.number,
    lots.lapse_date AS date,
    lots.capacity_so_far - CASE WHEN ends.reached_units > lots.capacity_before THEN ends.reached_units ELSE lots.capacity_before END AS units
  FROM retainer_walk AS lots
  JOIN retainer_walk AS ends ON ends.is_plan = lots.is_plan AND ends.retainer_id = lots.retainer_id AND ends.last_date = lots.lapse_date
),
changes AS (
  SELECT is_plan, retainer_id, number, first_date AS date, 'open' AS kind, CAST(capacity AS BIGINT) AS units
  FROM retainer_walk
  UNION ALL
  SELECT is_plan, retainer_id, number, date, 'use' AS kind, CAST(-units AS BIGINT) AS units
  FROM uses
  UNION ALL
  SELECT is_plan, retainer_id, number, date, 'lapse' AS kind, CAST(-units AS BIGINT) AS units
  FROM lapses
  WHERE units > 0
)
SELECT
  'r:' || CAST(changes.retainer_id AS VARCHAR) || ':' || CAST(walk.first_date AS VARCHAR) || ':' || CAST(changes.date AS VARCHAR) || ':' || changes.kind
    AS allowance_id,
  changes.is_plan,
  changes.retainer_id,
  walk.project_id,
  walk.phase_key,
  changes.number,
  walk.first_date AS lot_date,
  changes.date,
  changes.kind,
  walk.unit,
  walk.minor_units,
  walk.cutoff_date,
  changes.units
FROM changes
JOIN retainer_walk AS walk ON walk.is_plan = changes.is_plan AND walk.retainer_id = changes.retainer_id AND walk.number = changes.number
