-- One row per line of a project with agreed fees: how much of its own fee is within the agreed fee and beyond it, and what the line earns.
-- Parameters: uses, with the columns of fee_uses, and fee_lives. Uses whose parts nobody asks for may be sums without a line_id, dated before
-- or after all others; they count, and get no row.
-- The lines of an agreed fee stand in one order: date, labour before expenses, line_id. In this order they use the agreed fee: fee_within is the
-- part of a line's fee up to the total, fee_beyond the rest.
WITH running AS (
  SELECT
    uses.*,
    fee_lives.life_hours,
    fee_lives.is_by_progress,
    SUM(uses.used_fee) OVER (
      PARTITION BY uses.project_id, uses.phase_key, uses.task_key ORDER BY uses.date, uses.is_expense, uses.line_id ROWS UNBOUNDED PRECEDING
    ) AS fees_so_far,
    SUM(uses.used_hours) OVER (
      PARTITION BY uses.project_id, uses.phase_key, uses.task_key ORDER BY uses.date, uses.is_expense, uses.line_id ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM uses
  LEFT JOIN fee_lives ON fee_lives.project_id = uses.project_id AND fee_lives.phase_key = uses.phase_key AND fee_lives.task_key = uses.task_key
),
shares AS (
  SELECT
    running.*,
    LEAST(agreed_fee, fees_so_far) - LEAST(agreed_fee, fees_so_far - used_fee) AS fee_within,
    CASE
      WHEN is_by_progress AND used_hours <> 0
        THEN pl_share(agreed_fee, hours_so_far, life_hours, minor_units) - pl_share(agreed_fee, hours_so_far - used_hours, life_hours, minor_units)
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
    WHEN NOT is_by_progress THEN fee_within
    WHEN is_expense THEN 0
    ELSE fee_by_progress
  END AS earned_fee
FROM shares
