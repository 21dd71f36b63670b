-- One row per place with known progress, row of fee_day and step of its agreed fee (G2): what its lines of the step earn together (step_fee,
-- and in minor units step_units).
-- Parameters: fee_lives, and fee_uses, the lines of the places or sums of them.
-- A step is an entry of progress up to last_entry, on its day, or the last one, of all that is left of the fee: on the end, or after the last day for
-- work that is left to do. hours are the billable hours of the step in millionths, hours_before those of the steps before it.
-- Without hours the fee of a step stands on due_date (K4): of what is left before the end, the end date that is to come, if there is one.
-- By remaining hours, the progress is the hours up to the day of the entry of these and what remains.
WITH entered AS (
  SELECT *
  FROM fee_lives
  WHERE lines_earn = 'entries'
),
timed AS (
  SELECT
    entered.is_plan,
    entered.project_id,
    entered.phase_key,
    entered.task_key,
    pl_fee_step(fee_uses.entry_date, entered.last_entry, entered.end_day, fee_uses.is_left) AS date,
    fee_uses.used_hours
  FROM entered
  JOIN fee_uses
    ON fee_uses.is_plan = entered.is_plan
    AND fee_uses.project_id = entered.project_id
    AND fee_uses.phase_key = entered.phase_key
    AND fee_uses.task_key = entered.task_key
  WHERE fee_uses.agreed_fee IS NOT NULL
    AND NOT pl_is_after_end(fee_uses.date, fee_uses.is_by_end, fee_uses.is_left, entered.end_day)
),
worked AS (
  SELECT is_plan, project_id, phase_key, task_key, date, SUM(used_hours) AS hours
  FROM timed
  GROUP BY is_plan, project_id, phase_key, task_key, date
),
steps AS (
  SELECT entered.*, fee_progress.date, fee_progress.date AS due_date, fee_progress.percent, fee_progress.remaining_hours
  FROM entered
  JOIN core.fee_progress
    ON fee_progress.project_id = entered.project_id
    AND fee_progress.phase_key = entered.phase_key
    AND fee_progress.task_key = entered.task_key
  WHERE fee_progress.date <= entered.last_entry
  UNION ALL
  SELECT
    entered.*, COALESCE(end_day, pl_after_last_day()) AS date, rest_day AS due_date, CAST(100 AS DECIMAL(7, 4)) AS percent, NULL AS remaining_hours
  FROM entered
),
reached AS (
  SELECT
    steps.*,
    COALESCE(worked.hours, 0) AS hours,
    SUM(COALESCE(worked.hours, 0)) OVER (
      PARTITION BY steps.is_plan, steps.project_id, steps.phase_key, steps.task_key ORDER BY steps.date ROWS UNBOUNDED PRECEDING
    ) AS hours_so_far
  FROM steps
  LEFT JOIN worked
    ON worked.is_plan = steps.is_plan
    AND worked.project_id = steps.project_id
    AND worked.phase_key = steps.phase_key
    AND worked.task_key = steps.task_key
    AND worked.date = steps.date
),
valued AS (
  SELECT
    reached.*,
    CASE
      WHEN remaining_hours IS NULL THEN pl_share_of_units(fee_units, CAST(percent * 10000 AS BIGINT), 1000000)
      WHEN remaining_hours = 0 THEN fee_units
      ELSE pl_share_of_units(fee_units, hours_so_far, hours_so_far + pl_hour_units(remaining_hours))
    END AS units_so_far
  FROM reached
),
parted AS (
  SELECT
    valued.*,
    hours_so_far - hours AS hours_before,
    units_so_far - COALESCE(LAG(units_so_far) OVER (PARTITION BY is_plan, project_id, phase_key, task_key ORDER BY date), 0) AS step_units
  FROM valued
)
SELECT parted.*, pl_money_of_units(step_units, minor_units) AS step_fee
FROM parted
