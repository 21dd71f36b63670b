-- One row per line of kind revenue (K4): by the default cutoff, of confirmed and completed places and retainers.
-- stored: table at rest
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
-- The uses of places are read from sums by month, but for the months that the cutoff or today divides.
WITH fee_day AS (
  SELECT FALSE AS is_plan, default_cutoff.cutoff_date, loaded_day.loaded_date AS today
  FROM marts.default_cutoff
  CROSS JOIN core.loaded_day
),
fee_window AS (
  SELECT pl_first_day() AS start_date, pl_add_days(pl_after_last_day(), -1) AS end_date
),
asked_statuses AS (
  SELECT pl_line_status('confirmed') AS status
  UNION ALL
  SELECT pl_line_status('completed') AS status
),
divided_months AS (
  SELECT pl_first_of_month(cutoff_date) AS month
  FROM fee_day
  UNION
  SELECT pl_first_of_month(today) AS month
  FROM fee_day
),
life_lines AS (
  SELECT kind, date, project_id, phase_id, task_meta_id, status, billable, hours, fee
  FROM core.ledger
  WHERE month IN (SELECT month FROM divided_months)
),
placed_lines AS (
  SELECT
    project_id, phase_key, task_key, agreed_fee, minor_units, is_by_end, entry_date, kind, date, date AS last_date, status, is_firm, billable, hours, fee
  FROM facts.fee_places AS fee_places
  WHERE NOT is_retained
  UNION ALL
  SELECT
    project_id, phase_key, task_key, agreed_fee, minor_units, is_by_end, entry_date, kind, month AS date, last_date, status, is_firm, billable, hours, fee
  FROM core.fee_months
  WHERE month NOT IN (SELECT month FROM divided_months)
),
fee_uses AS (
  SELECT *
  FROM facts.fee_uses AS fee_uses
),
fee_lives AS (
  SELECT *
  FROM facts.fee_lives AS lives
),
fee_steps AS (
  SELECT *
  FROM facts.fee_steps AS steps
),
retained_lines AS (
  WITH life_lines AS (
    SELECT *
    FROM core.retainer_days
  ),
  placed_lines AS (
    SELECT *
    FROM facts.fee_places AS fee_places
    WHERE is_retained
  )
  SELECT *
  FROM facts.fee_uses AS fee_uses
),
retainer_uses AS (
  SELECT *
  FROM facts.retainer_uses AS uses
),
retainer_walk AS (
  SELECT *
  FROM facts.retainer_walk AS walk
),
retainer_earned AS (
  SELECT *
  FROM facts.retainer_earned AS earned
)
SELECT
  kind,
  line_id,
  date,
  retainer_id,
  project_id,
  phase_id,
  task_meta_id,
  phase_key,
  task_key,
  status,
  billable,
  CAST(earned_fee AS DECIMAL(18, 4)) AS amount
FROM kinds.revenue AS revenue
