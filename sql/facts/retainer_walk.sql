-- One row per period of a retainer (core.retainer_periods) and row of fee_day: where its uses stand among its lots (T3).
-- Parameters: fee_day (is_plan, cutoff_date and today), and retainer_uses.
-- The lots of a retainer stand one behind another on a line of units, from 0 to capacity_total. Uses move along it, so they take from the oldest lot before
-- the next one. They begin a period at start_units and end it at reached_units. At its end what is before lapsed_so_far lapses, so the next period begins behind it.
-- Uses of debts go on beyond the lots that are open, up to limit_units; others stop at the end of the open ones. What is behind that is beyond.
-- So a period's end is that of the one before, plus its uses, at least what has lapsed and at most what is open. In terms of all uses so far, it is the
-- highest of such least values (low) from which no later greatest value (high) has brought it down.
WITH worked AS (
  SELECT is_plan, retainer_id, number, SUM(lot_units) AS used_units
  FROM retainer_uses
  WHERE retainer_id IS NOT NULL
  GROUP BY is_plan, retainer_id, number
),
steps AS (
  SELECT
    retainer_periods.*,
    fee_day.is_plan,
    fee_day.cutoff_date,
    CAST(COALESCE(worked.used_units, 0) AS BIGINT) AS used_units,
    CAST(
      SUM(COALESCE(worked.used_units, 0)) OVER (PARTITION BY fee_day.is_plan, retainer_periods.retainer_id ORDER BY retainer_periods.number ROWS UNBOUNDED PRECEDING)
      AS BIGINT
    ) AS used_so_far
  FROM core.retainer_periods
  CROSS JOIN fee_day
  LEFT JOIN worked ON worked.is_plan = fee_day.is_plan AND worked.retainer_id = retainer_periods.retainer_id AND worked.number = retainer_periods.number
),
bounds AS (
  SELECT steps.*, lapsed_so_far - used_so_far AS low, capacity_so_far - used_so_far AS high
  FROM steps
),
beginnings AS (
  SELECT is_plan, retainer_id, number, low
  FROM bounds
  WHERE is_bounded_twice
  UNION ALL
  SELECT is_plan, retainer_id, -1 AS number, 0 AS low
  FROM bounds
  WHERE is_bounded_twice AND number = 0
),
lowered AS (
  SELECT
    bounds.is_plan,
    bounds.retainer_id,
    bounds.number,
    LEAST(
      beginnings.low,
      MIN(bounds.high) OVER (
        PARTITION BY beginnings.is_plan, beginnings.retainer_id, beginnings.number ORDER BY bounds.number ROWS UNBOUNDED PRECEDING
      )
    ) AS height
  FROM beginnings
  JOIN bounds ON bounds.is_plan = beginnings.is_plan AND bounds.retainer_id = beginnings.retainer_id AND bounds.number > beginnings.number
),
highest AS (
  SELECT is_plan, retainer_id, number, MAX(height) AS height
  FROM lowered
  GROUP BY is_plan, retainer_id, number
),
settled AS (
  SELECT
    bounds.*,
    bounds.used_so_far + CASE
      WHEN bounds.rollover = 'none' THEN bounds.low
      WHEN bounds.has_debts
        THEN GREATEST(0, MAX(bounds.low) OVER (PARTITION BY bounds.is_plan, bounds.retainer_id ORDER BY bounds.number ROWS UNBOUNDED PRECEDING))
      WHEN highest.height > bounds.low THEN highest.height
      WHEN bounds.is_bounded_twice THEN bounds.low
      ELSE GREATEST(
        LEAST(0, MIN(bounds.high) OVER (PARTITION BY bounds.is_plan, bounds.retainer_id ORDER BY bounds.number ROWS UNBOUNDED PRECEDING)), bounds.low
      )
    END AS end_units
  FROM bounds
  LEFT JOIN highest ON highest.is_plan = bounds.is_plan AND highest.retainer_id = bounds.retainer_id AND highest.number = bounds.number
),
begun AS (
  SELECT
    settled.*,
    COALESCE(LAG(end_units) OVER (PARTITION BY is_plan, retainer_id ORDER BY number), 0) AS start_units,
    CASE WHEN has_debts THEN capacity_total ELSE capacity_so_far END AS limit_units
  FROM settled
)
SELECT begun.*, LEAST(start_units + used_units, limit_units) AS reached_units
FROM begun
