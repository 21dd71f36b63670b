-- One row per line that uses an agreed fee, which is a budget of fees (type 2): how much of its own fee is within the agreed fee and beyond it, and
-- what the line earns of it. An unknown fee counts as nothing.
-- Lines up to cutoff_date, the last day with logged time on or before the day of the last load or change, are logged time and expenses. Those after
-- it (is_forecast) are expenses and what is left to do: scheduled work that is confirmed, completed, or as firm as its project or phase.
-- budget_level says if the fee is agreed for the project, the phase or the project task of the line.
WITH fee_day AS (
  SELECT last_logged_date AS cutoff_date
  FROM core.last_logged_day
),
asked_statuses AS (
  SELECT pl_line_status('confirmed') AS status
  UNION ALL
  SELECT pl_line_status('completed') AS status
),
life_lines AS (
  SELECT kind, line_id, date, people_id, project_id, phase_id, task_meta_id, status, billable, hours, fee
  FROM core.lines
),
places AS (
  SELECT *
  FROM facts.fee_places AS fee_places
),
uses AS (
  SELECT *
  FROM facts.fee_uses AS fee_uses
),
fee_lives AS (
  SELECT *
  FROM facts.fee_lives AS lives
)
SELECT
  fees.line_id,
  fees.kind,
  fees.date,
  COALESCE(fees.people_id, 0) AS people_id,
  fees.project_id,
  projects.project,
  fees.phase_id,
  COALESCE(fees.task_meta_id, 0) AS task_meta_id,
  fee_day.cutoff_date,
  NOT fees.is_done AS is_forecast,
  fees.fee_level AS budget_level,
  fees.agreed_fee,
  fees.fee,
  fees.fee_within,
  fees.fee_beyond,
  fees.earned_fee,
  fees.is_by_progress
FROM facts.agreed_fees AS fees
JOIN marts.projects ON projects.project_id = fees.project_id
CROSS JOIN fee_day
WHERE fees.agreed_fee IS NOT NULL AND fees.is_counted
