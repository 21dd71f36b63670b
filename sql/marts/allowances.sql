-- One row per lot of a retainer, day and kind of change of its balance: what it opens with (open), what work uses of it (use, below 0) and what lapses
-- (lapse, below 0). The balance of a retainer on a day is the sum of its allowances up to that day.
-- Each period of a retainer opens a lot. Work takes from the oldest lot that is open on its day, then from the next; a lot may lapse at the end of its period
-- or later. Where a retainer takes debts, work may use a lot that opens later. What no lot has is beyond the retainer, and has no row.
-- Work up to cutoff_date, the default one (marts.default_cutoff), is logged time, and after it (is_forecast) scheduled work that is confirmed or completed.
-- amount is in hours or in the company's currency, as unit says. phase_id is 0 for a retainer of a project.
-- key: allowance_id
-- order: date, allowance_id
-- refers: project_id projects, phase_id phases
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
  SELECT kind, CAST(NULL AS VARCHAR) AS line_id, date, date AS last_date, project_id, phase_id, task_meta_id, status, billable, hours, fee
  FROM core.retainer_days
),
placed_lines AS (
  SELECT *
  FROM facts.fee_places AS fee_places
),
retained_lines AS (
  SELECT *
  FROM facts.fee_uses AS fee_uses
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
allowances AS (
  SELECT *
  FROM facts.allowances AS changes
)
SELECT
  allowances.allowance_id,
  allowances.retainer_id,
  allowances.project_id,
  projects.project,
  allowances.phase_key AS phase_id,
  allowances.lot_date,
  allowances.date,
  allowances.kind,
  allowances.unit,
  pl_lot_amount(allowances.units, allowances.unit, allowances.minor_units) AS amount,
  allowances.cutoff_date,
  allowances.date > allowances.cutoff_date AS is_forecast
FROM allowances
JOIN marts.projects ON projects.project_id = allowances.project_id
