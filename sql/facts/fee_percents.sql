-- One row per fixed place and row of fee_day: how much of it is done, by hours and by what was entered (G2).
-- Parameters: fee_lives, and fee_steps.
-- Each progress is a part of a whole. By hours it is the billable hours up to the cutoff of those and what is left to do, and all of them for an ended
-- place; null where nothing is left to do, and the place hasn't ended (3.3.1). What was entered is null where no entry counts.
-- The weights are the agreed fee in minor units x the progress in ten-billionths, which add up over places.
WITH parted AS (
  SELECT
    lives.*,
    CASE WHEN lives.end_day IS NOT NULL THEN 1 WHEN lives.left_hours > 0 THEN lives.done_hours END AS computed_part,
    CASE WHEN lives.end_day IS NOT NULL THEN 1 WHEN lives.left_hours > 0 THEN lives.done_hours + lives.left_hours END AS computed_whole,
    CASE
      WHEN lives.lines_earn <> 'entries' THEN NULL
      WHEN lives.end_day IS NOT NULL OR fee_steps.remaining_hours = 0 THEN 1
      WHEN fee_steps.remaining_hours IS NULL THEN CAST(fee_steps.percent * 10000 AS BIGINT)
      ELSE fee_steps.hours_so_far
    END AS entered_part,
    CASE
      WHEN lives.lines_earn <> 'entries' THEN NULL
      WHEN lives.end_day IS NOT NULL OR fee_steps.remaining_hours = 0 THEN 1
      WHEN fee_steps.remaining_hours IS NULL THEN 1000000
      ELSE fee_steps.hours_so_far + pl_hour_units(fee_steps.remaining_hours)
    END AS entered_whole
  FROM fee_lives AS lives
  LEFT JOIN fee_steps
    ON fee_steps.is_plan = lives.is_plan
    AND fee_steps.project_id = lives.project_id
    AND fee_steps.phase_key = lives.phase_key
    AND fee_steps.task_key = lives.task_key
    AND fee_steps.date = lives.last_entry
  WHERE lives.contract = 'fixed' AND NOT lives.is_canceled
)
SELECT
  parted.*,
  CAST(fee_units AS DECIMAL(38, 0)) * pl_share_of_units(10000000000, computed_part, computed_whole) AS computed_weight,
  CAST(fee_units AS DECIMAL(38, 0)) * pl_share_of_units(10000000000, entered_part, entered_whole) AS entered_weight
FROM parted
