-- One row per place or retainer, row of fee_day and day that earns what no line of work or expense carries (K4): the days of an agreed fee that is earned evenly, its milestones,
-- entries of progress since which nobody has worked, and what is left of it on the day on which the place ends.
-- A retainer (T6) has one on each day on which retainer_earned has something.
-- Parameters: fee_lives, fee_steps, retainer_earned, asked_statuses (status), and fee_window (start_date and end_date, one row), the days that are asked for.
-- Up to the cutoff a place that isn't confirmed earns nothing by itself; after it, places of an asked status do.
-- rank: 4
-- computed: by cutoff and statuses
-- line_id: f: project_id phase_id task_meta_id date, f:r retainer_id date
WITH fixed AS (
  SELECT fee_lives.*, COALESCE(end_day, pl_after_last_day()) AS final_day
  FROM fee_lives
  WHERE contract = 'fixed' AND NOT is_canceled
),
spans AS (
  SELECT
    fixed.*,
    CASE WHEN fixed.start_date > fee_window.start_date THEN fixed.start_date ELSE fee_window.start_date END AS first_shown,
    LEAST(fixed.end_date, fixed.final_day, fee_window.end_date) AS last_shown
  FROM fixed
  CROSS JOIN fee_window
  WHERE fixed.recognise = 'evenly'
),
numbered AS (
  SELECT
    spans.*,
    pl_add_days(first_shown, series.day) AS date,
    pl_days_between(start_date, first_shown) + series.day + 1 AS place,
    pl_days_between(start_date, end_date) + 1 AS days
  FROM spans
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_shown, last_shown))) AS series (day)
),
reached AS (
  SELECT fixed.*, fee_milestones.date, fee_milestones.amount, fee_milestones.amount_so_far
  FROM fixed
  JOIN core.fee_milestones
    ON fee_milestones.project_id = fixed.project_id AND fee_milestones.phase_key = fixed.phase_key AND fee_milestones.task_key = fixed.task_key
  WHERE fee_milestones.date <= fixed.final_day
),
earned AS (
  SELECT
    is_plan, retainer_id, project_id, phase_key AS phase_id, 0 AS task_meta_id, phase_key, 0 AS task_key, status, cutoff_date, date,
    pl_money_of_units(units, minor_units) AS earned_fee
  FROM retainer_earned
  WHERE units IS NOT NULL
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, date,
    pl_money_of_units(pl_share_of_units(fee_units, place, days) - pl_share_of_units(fee_units, place - 1, days), minor_units) AS earned_fee
  FROM numbered
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, date,
    LEAST(agreed_fee, amount_so_far) - LEAST(agreed_fee, amount_so_far - amount) AS earned_fee
  FROM reached
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, rest_day AS date, rest_fee AS earned_fee
  FROM fixed
  WHERE rest_day IS NOT NULL
  UNION ALL
  SELECT
    is_plan, NULL AS retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, cutoff_date, due_date AS date, step_fee AS earned_fee
  FROM fee_steps
  WHERE hours = 0 AND due_date IS NOT NULL
)
SELECT
  pl_line_kind('revenue') AS kind,
  CASE
    WHEN retainer_id IS NOT NULL THEN 'f:r' || CAST(retainer_id AS VARCHAR)
    ELSE 'f:' || CAST(project_id AS VARCHAR) || ':' || CAST(phase_id AS VARCHAR) || ':' || CAST(task_meta_id AS VARCHAR)
  END || ':' || CAST(date AS VARCHAR) AS line_id,
  is_plan,
  retainer_id,
  date,
  project_id,
  phase_id,
  CASE WHEN task_meta_id = 0 THEN NULL ELSE task_meta_id END AS task_meta_id,
  phase_key,
  task_key,
  status,
  TRUE AS billable,
  SUM(earned_fee) AS earned_fee
FROM earned
CROSS JOIN fee_window
WHERE earned_fee <> 0
  AND date BETWEEN fee_window.start_date AND fee_window.end_date
  AND CASE
    WHEN date <= cutoff_date THEN status IN (pl_line_status('confirmed'), pl_line_status('completed'))
    ELSE status IN (SELECT status FROM asked_statuses)
  END
GROUP BY is_plan, retainer_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, date
