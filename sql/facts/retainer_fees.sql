-- One row per line of a project or phase with a retainer (T6): how much of its own fee is within the retainer and beyond it, and what the line earns.
-- Parameters: retainer_uses and retainer_takes. Those without a line_id are sums, and get no row.
-- Work that uses a lot with a price earns nothing by itself where the retainer is earned evenly; by uses it earns its part of the price, as far as the lot is
-- open on its day. A use of a lot without a price earns its own fee. Work beyond all lots earns its fee where that is billed.
-- Other lines earn their fees: expenses, days outside all periods, and work that isn't counted by the retainer.
-- Work of a draft or tentative project or phase earns nothing up to the cutoff (K4).
WITH parts AS (
  SELECT
    takes.is_plan,
    takes.line_id,
    takes.lot_units,
    takes.lot_minor_units,
    pl_money_units(COALESCE(takes.fee, 0), takes.lot_minor_units) AS fee_units,
    takes.take_start,
    takes.recognise,
    retainer_periods.price_units,
    retainer_periods.capacity,
    retainer_periods.number <= takes.number AS is_open,
    CASE WHEN takes.take_start > retainer_periods.capacity_before THEN takes.take_start ELSE retainer_periods.capacity_before END AS part_start,
    CASE WHEN takes.take_end < retainer_periods.capacity_so_far THEN takes.take_end ELSE retainer_periods.capacity_so_far END AS part_end,
    retainer_periods.capacity_before
  FROM retainer_takes AS takes
  JOIN core.retainer_periods
    ON retainer_periods.retainer_id = takes.retainer_id AND retainer_periods.capacity_so_far > takes.take_start AND retainer_periods.capacity_before < takes.take_end
  WHERE takes.line_id IS NOT NULL AND takes.take_end > takes.take_start AND retainer_periods.capacity > 0
),
priced AS (
  SELECT
    is_plan,
    line_id,
    SUM(
      CASE
        WHEN price_units IS NULL
          THEN pl_share_of_units(fee_units, part_end - take_start, lot_units) - pl_share_of_units(fee_units, part_start - take_start, lot_units)
        WHEN recognise = 'as_used' AND is_open
          THEN pl_share_of_units(price_units, part_end - capacity_before, capacity) - pl_share_of_units(price_units, part_start - capacity_before, capacity)
        ELSE 0
      END
    ) AS earned_units
  FROM parts
  GROUP BY is_plan, line_id
),
split AS (
  SELECT
    is_plan,
    line_id,
    overage,
    CASE
      WHEN beyond_units = 0 THEN COALESCE(fee, 0)
      ELSE pl_money_of_units(
        pl_share_of_units(pl_money_units(COALESCE(fee, 0), lot_minor_units), lot_units - beyond_units, lot_units), lot_minor_units
      )
    END AS fee_within
  FROM retainer_takes
  WHERE line_id IS NOT NULL AND lot_units > 0
)
SELECT
  uses.*,
  COALESCE(split.fee_within, CASE WHEN uses.is_counted THEN uses.fee END, 0) AS fee_within,
  CASE WHEN split.overage = 'free' THEN COALESCE(uses.fee, 0) - split.fee_within ELSE 0 END AS fee_beyond,
  CASE
    WHEN uses.retainer_id IS NULL OR uses.is_expense THEN uses.fee
    WHEN NOT uses.is_counted THEN 0
    WHEN uses.is_done AND uses.place_status IN (pl_line_status('draft'), pl_line_status('tentative')) THEN 0
    WHEN split.line_id IS NULL THEN uses.fee
    ELSE pl_money_of_units(COALESCE(priced.earned_units, 0), uses.lot_minor_units)
      + CASE WHEN split.overage = 'billed' THEN COALESCE(uses.fee, 0) - split.fee_within ELSE 0 END
  END AS earned_fee
FROM retainer_uses AS uses
LEFT JOIN split ON split.is_plan = uses.is_plan AND split.line_id = uses.line_id
LEFT JOIN priced ON priced.is_plan = uses.is_plan AND priced.line_id = uses.line_id
WHERE uses.line_id IS NOT NULL
