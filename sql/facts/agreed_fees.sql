-- One row per line of a project with places: how much of its own fee is within the agreed fee and beyond it, and what the line earns.
-- Lines with a retainer are in retainer_fees.
-- Parameters: uses, with the columns of fee_uses, fee_lives, and fee_steps. Uses whose parts nobody asks for may be sums without a line_id, dated before
-- or after all others; they count, and get no row.
-- The lines of a place stand in one order: date, labour before expenses, line_id. In this order they use the agreed fee: fee_within is the
-- part of a line's fee up to the total, fee_beyond the rest. An ended place has earned its fee by the lines up to its end; later ones (is_late) earn nothing.
-- Without billable hours up to then, its expenses earn what they use of the fee. A capped place has no such end: all of its lines use the fee (K1).
-- With known progress the lines of each step (fee_steps) share its fee by hours (G2). Those after the latest entry are of no step, and earn nothing.
WITH lived AS (
  SELECT
    uses.*,
    fee_lives.lines_earn,
    fee_lives.contract,
    CASE WHEN fee_lives.lines_earn = 'progress' THEN fee_lives.fee_units ELSE fee_steps.step_units END AS shared_units,
    CASE WHEN fee_lives.lines_earn = 'progress' THEN fee_lives.life_hours ELSE fee_steps.hours END AS shared_hours,
    COALESCE(fee_steps.hours_before, 0) AS hours_before,
    pl_is_after_end(uses.date, uses.is_by_end, uses.is_left, fee_lives.end_day) AS is_late
  FROM uses
  LEFT JOIN fee_lives
    ON fee_lives.is_plan = uses.is_plan
    AND fee_lives.project_id = CASE WHEN uses.agreed_fee IS NULL THEN NULL ELSE uses.project_id END
    AND fee_lives.phase_key = uses.phase_key
    AND fee_lives.task_key = uses.task_key
  LEFT JOIN fee_steps
    ON fee_steps.is_plan = uses.is_plan
    AND fee_steps.project_id = uses.project_id
    AND fee_steps.phase_key = uses.phase_key
    AND fee_steps.task_key = uses.task_key
    AND fee_steps.date = pl_fee_step(uses.entry_date, fee_lives.last_entry, fee_lives.end_day, uses.is_left)
),
timely AS (
  SELECT lived.*, CASE WHEN is_late OR shared_units IS NULL THEN 0 ELSE used_hours END AS earning_hours
  FROM lived
),
running AS (
  SELECT
    timely.*,
    SUM(used_fee) OVER (
      PARTITION BY is_plan, project_id, phase_key, task_key, agreed_fee ORDER BY date, is_late, entry_date, is_expense, line_id ROWS UNBOUNDED PRECEDING
    ) AS fees_so_far,
    SUM(earning_hours) OVER (
      PARTITION BY is_plan, project_id, phase_key, task_key, agreed_fee ORDER BY date, is_late, entry_date, is_expense, line_id ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM timely
),
shares AS (
  SELECT
    running.*,
    LEAST(agreed_fee, fees_so_far) - LEAST(agreed_fee, fees_so_far - used_fee) AS fee_within,
    CASE
      WHEN shared_units IS NOT NULL AND earning_hours <> 0
        THEN pl_money_of_units(
          pl_share_of_units(shared_units, hours_so_far - hours_before, shared_hours)
            - pl_share_of_units(shared_units, hours_so_far - hours_before - earning_hours, shared_hours),
          minor_units
        )
      ELSE 0
    END AS fee_by_progress
  FROM running
  WHERE line_id IS NOT NULL
)
SELECT
  shares.*,
  CASE WHEN agreed_fee IS NULL THEN 0 ELSE used_fee - fee_within END AS fee_beyond,
  CASE
    WHEN agreed_fee IS NULL THEN fee
    WHEN lines_earn = 'use' AND (contract = 'capped' OR NOT is_late) THEN fee_within
    WHEN is_expense THEN 0
    ELSE fee_by_progress
  END AS earned_fee
FROM shares
