-- One row per retainer and period: what it opens with, what is used, lapses and is left, and what is beyond it.
-- Numbers up to cutoff_date, the default one (marts.default_cutoff), are of logged time; they are null for periods that begin later. Those of a forecast count
-- scheduled work after it, too, that is confirmed or completed. Only a period that has ended by then lapses or leaves something.
-- rolled is what earlier periods leave, below 0 for a debt; rolled and opened, less what is used and what lapses, is the balance at the end of the period, or at the
-- cutoff in the one that is running. used_percent is of what was opened and rolled.
-- Amounts are in hours or in the company's currency, as unit says. phase_id is 0 for a retainer of a project.
-- key: retainer_id, date
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
used AS (
  SELECT
    retainer_id,
    number,
    SUM(CASE WHEN is_done THEN take_end - take_start ELSE 0 END) AS used_units,
    SUM(take_end - take_start) AS forecast_used_units,
    SUM(CASE WHEN is_done THEN beyond_units ELSE 0 END) AS beyond_units,
    SUM(beyond_units) AS forecast_beyond_units,
    MIN(CASE WHEN lot_units > 0 AND take_end >= open_units THEN date END) AS used_up_on
  FROM retainer_takes
  GROUP BY retainer_id, number
),
balances AS (
  SELECT
    walk.*,
    walk.first_date <= walk.cutoff_date AS has_begun,
    walk.last_date <= walk.cutoff_date AS has_ended,
    walk.capacity_before - LEAST(walk.start_units, walk.capacity_total) AS rolled_units,
    walk.capacity_so_far - LEAST(walk.end_units, walk.limit_units) AS forecast_balance_units,
    COALESCE(used.used_units, 0) AS lot_used_units,
    COALESCE(used.forecast_used_units, 0) AS forecast_used_units,
    COALESCE(used.beyond_units, 0) AS beyond_units,
    COALESCE(used.forecast_beyond_units, 0) AS forecast_beyond_units,
    used.used_up_on
  FROM retainer_walk AS walk
  LEFT JOIN used ON used.retainer_id = walk.retainer_id AND used.number = walk.number
),
dated AS (
  SELECT
    balances.*,
    CASE WHEN has_ended THEN rolled_units + capacity - forecast_used_units - forecast_balance_units ELSE 0 END AS lapsed_units
  FROM balances
)
SELECT
  dated.retainer_id,
  dated.project_id,
  projects.project,
  projects.client,
  dated.phase_key AS phase_id,
  dated.first_date AS date,
  dated.last_date,
  dated.unit,
  pl_lot_amount(dated.capacity, dated.unit, dated.minor_units) AS opened,
  CASE WHEN has_begun THEN pl_lot_amount(dated.rolled_units, dated.unit, dated.minor_units) END AS rolled,
  CASE WHEN has_begun THEN pl_lot_amount(dated.lot_used_units, dated.unit, dated.minor_units) END AS used,
  CASE
    WHEN has_begun AND dated.capacity + dated.rolled_units > 0
      THEN CAST(
        CAST(pl_share_of_units(10000, dated.lot_used_units, dated.capacity + dated.rolled_units) AS DECIMAL(18, 0)) * CAST(0.01 AS DECIMAL(2, 2))
        AS DECIMAL(18, 2)
      )
  END AS used_percent,
  CASE WHEN has_begun THEN pl_lot_amount(dated.lapsed_units, dated.unit, dated.minor_units) END AS lapsed,
  CASE
    WHEN has_begun
      THEN pl_lot_amount(dated.rolled_units + dated.capacity - dated.lot_used_units - dated.lapsed_units, dated.unit, dated.minor_units)
  END AS balance,
  CASE WHEN has_begun THEN pl_lot_amount(dated.beyond_units, dated.unit, dated.minor_units) END AS beyond,
  pl_lot_amount(dated.forecast_used_units, dated.unit, dated.minor_units) AS forecast_used,
  pl_lot_amount(dated.forecast_balance_units, dated.unit, dated.minor_units) AS forecast_balance,
  pl_lot_amount(dated.forecast_beyond_units, dated.unit, dated.minor_units) AS forecast_beyond,
  dated.used_up_on,
  pl_money_of_units(dated.price_units, dated.minor_units) AS price,
  dated.cutoff_date
FROM dated
JOIN marts.projects ON projects.project_id = dated.project_id
