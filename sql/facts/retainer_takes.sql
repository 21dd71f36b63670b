-- One row per line of a retainer's period, or sum of lines of a day: the part of the line of units (facts/retainer_walk) that it takes, from take_start to
-- take_end. What is behind open_units is a debt, which lots pay that open later; beyond_units is what no lot has (T3).
-- Parameters: retainer_uses and retainer_walk.
-- Lines take in one order: date, line_id.
WITH placed AS (
  SELECT
    retainer_uses.*,
    walk.capacity_so_far AS open_units,
    walk.limit_units,
    CAST(
      walk.start_units + SUM(retainer_uses.lot_units) OVER (
        PARTITION BY retainer_uses.is_plan, retainer_uses.retainer_id, retainer_uses.number
        ORDER BY retainer_uses.date, retainer_uses.is_expense, retainer_uses.line_id
        ROWS UNBOUNDED PRECEDING
      ) AS BIGINT
    ) AS end_units
  FROM retainer_uses
  JOIN retainer_walk AS walk
    ON walk.is_plan = retainer_uses.is_plan AND walk.retainer_id = retainer_uses.retainer_id AND walk.number = retainer_uses.number
)
SELECT
  placed.*,
  LEAST(end_units - lot_units, limit_units) AS take_start,
  LEAST(end_units, limit_units) AS take_end,
  lot_units - LEAST(end_units, limit_units) + LEAST(end_units - lot_units, limit_units) AS beyond_units
FROM placed
