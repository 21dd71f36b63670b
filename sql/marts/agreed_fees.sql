-- One row per line that uses an agreed fee, or that earns one where no work does: how much of its own fee is within the agreed fee and beyond it, and
-- what the line earns of it. An unknown fee counts as nothing.
-- Lines up to cutoff_date, the default one (marts.default_cutoff), are logged time and expenses. Those after it (is_forecast) are expenses, and
-- scheduled work that is confirmed or completed. Other work that is as firm as its project or phase has no row; its hours are part of what the fee is
-- earned by. A line of kind revenue has no hours, cost or fee: it is a day, a milestone or an entry of progress of the agreed fee, or what is left of it at the end.
-- budget_level says if the fee is agreed for the project, the phase or the project task of the line. contract is fixed; capped: what is beyond the
-- agreed fee isn't paid; or retainer: agreed_fee is the price of the period.
-- key: line_id
-- order: date, line_id
-- refers: date calendar, people_id people, project_id projects, phase_id phases, task_meta_id project_tasks
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
WITH fee_day AS (
  SELECT FALSE AS is_plan, default_cutoff.cutoff_date, loaded_day.loaded_date AS today
  FROM marts.default_cutoff
  CROSS JOIN core.loaded_day
),
asked_statuses AS (
  SELECT pl_line_status('confirmed') AS status
  UNION ALL
  SELECT pl_line_status('completed') AS status
),
life_lines AS (
  SELECT kind, line_id, date, date AS last_date, people_id, project_id, phase_id, task_meta_id, status, billable, hours, fee
  FROM core.lines
),
placed_lines AS (
  SELECT *
  FROM facts.fee_places AS fee_places
),
fee_uses AS (
  SELECT *
  FROM facts.fee_uses AS fee_uses
),
uses AS (
  SELECT *
  FROM fee_uses
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
  SELECT *
  FROM fee_uses
  WHERE is_retained
),
retainer_uses AS (
  SELECT *
  FROM facts.retainer_uses AS uses
),
retainer_walk AS (
  SELECT *
  FROM facts.retainer_walk AS walk
),
retainer_takes AS (
  SELECT *
  FROM facts.retainer_takes AS takes
),
shared AS (
  SELECT
    kind, line_id, CAST(NULL AS BIGINT) AS retainer_id, date, people_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, fee, fee_within, fee_beyond, earned_fee
  FROM facts.agreed_fees AS fees
  WHERE agreed_fee IS NOT NULL AND is_counted
  UNION ALL
  SELECT
    kind, line_id, retainer_id, date, people_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, fee, fee_within, fee_beyond, earned_fee
  FROM facts.retainer_fees AS fees
  WHERE retainer_id IS NOT NULL AND is_counted AND NOT is_expense
  UNION ALL
  SELECT
    kind, line_id, retainer_id, date, NULL AS people_id, project_id, phase_id, task_meta_id, phase_key, task_key, status, NULL AS fee, 0 AS fee_within,
    0 AS fee_beyond, amount AS earned_fee
  FROM core.revenue_lines
)
SELECT
  shared.line_id,
  shared.kind,
  shared.date,
  COALESCE(shared.people_id, 0) AS people_id,
  shared.project_id,
  projects.project,
  shared.phase_id,
  COALESCE(shared.task_meta_id, 0) AS task_meta_id,
  COALESCE(shared.retainer_id, 0) AS retainer_id,
  shared.status,
  fee_day.cutoff_date,
  shared.date > fee_day.cutoff_date AS is_forecast,
  COALESCE(fee_lives.level, CASE WHEN periods.phase_key = 0 THEN 'project' ELSE 'phase' END) AS budget_level,
  COALESCE(fee_lives.contract, 'retainer') AS contract,
  COALESCE(fee_lives.recognise, periods.recognise) AS recognise,
  COALESCE(fee_lives.agreed_fee, pl_money_of_units(periods.price_units, periods.minor_units)) AS agreed_fee,
  shared.fee,
  shared.fee_within,
  shared.fee_beyond,
  shared.earned_fee,
  COALESCE(fee_lives.lines_earn IN ('entries', 'progress'), FALSE) AS is_by_progress
FROM shared
CROSS JOIN fee_day
LEFT JOIN fee_lives
  ON fee_lives.project_id = CASE WHEN shared.retainer_id IS NULL THEN shared.project_id END
  AND fee_lives.phase_key = shared.phase_key
  AND fee_lives.task_key = shared.task_key
LEFT JOIN core.retainer_periods AS periods
  ON periods.retainer_id = shared.retainer_id AND periods.first_date <= shared.date AND periods.last_date >= shared.date
JOIN marts.projects ON projects.project_id = shared.project_id
