-- One row per period of a retainer (T2), which opens a lot: what it holds, from when to when, and its price. phase_key is 0 for a retainer of a project.
-- stored: table at rest
-- Periods are whole, and begin with start_date and each step after it; or they are the company's, and a cut one counts by its days (first_period).
-- A retainer without an end goes on to the end of the year after next. No retainer has more than 600 periods and one.
-- Amounts are whole numbers: millionths of hours, or minor units of the currency. capacity_before and capacity_so_far are the sums of all lots before, and
-- with, the period's own; capacity_total is that of all lots.
-- A lot is open up to lapse_date; a lot without one stays open (T3). lapsed_so_far is the sum of the lots that lapse up to the period's end.
-- price_units is null for hours without a price, which earn their own fees (T6), and in work that is internal (K1), which earns nothing.
-- status is that of the project or phase, whichever is less firm (S1).
-- part: where project_id IN (SELECT project_id FROM part.projects WHERE is_whole)
-- copied: without rates
WITH known AS (
  SELECT
    retainers.*,
    retainers.phase_id AS phase_key,
    settings.minor_units,
    settings.week_starts_on,
    settings.fiscal_year_starts_in,
    CASE retainers.period WHEN 'month' THEN 1 WHEN 'quarter' THEN 3 WHEN 'year' THEN 12 END AS step_months,
    COALESCE(retainers.end_date, pl_add_days(pl_add_months(pl_fiscal_start(loaded_day.loaded_date, 12, 1), 36), -1)) AS last_day,
    pl_is_internal(projects.is_non_billable, phases.is_non_billable, projects.budget_priority, projects.contract, phases.contract) AS is_internal,
    projects.status AS project_status,
    pl_line_status(
      CASE
        WHEN projects.status = 4 OR COALESCE(phases.status = 4, FALSE) THEN 'canceled'
        WHEN LEAST(projects.status, COALESCE(phases.status, projects.status)) = 0 THEN 'draft'
        WHEN LEAST(projects.status, COALESCE(phases.status, projects.status)) = 1 THEN 'tentative'
        WHEN projects.status = 3 OR COALESCE(phases.status = 3, FALSE) THEN 'completed'
        ELSE 'confirmed'
      END
    ) AS status
  FROM staging.retainers
  JOIN staging.projects ON projects.project_id = retainers.project_id
  LEFT JOIN staging.phases ON phases.phase_id = retainers.phase_id
  CROSS JOIN core.settings
  CROSS JOIN core.loaded_day
),
grids AS (
  SELECT
    known.*,
    CASE
      WHEN first_period = 'whole' THEN start_date
      WHEN step_months IS NULL THEN pl_week_start(start_date, week_starts_on)
      WHEN step_months = 1 THEN pl_first_of_month(start_date)
      ELSE pl_fiscal_start(start_date, step_months, fiscal_year_starts_in)
    END AS grid_day,
    COALESCE(28 * step_months, 7) AS least_days
  FROM known
),
numbered AS (
  SELECT
    grids.*,
    series.number,
    CASE WHEN step_months IS NULL THEN pl_add_days(grid_day, 7 * series.number) ELSE pl_add_months(grid_day, step_months * series.number) END AS begin_day,
    CASE
      WHEN step_months IS NULL THEN pl_add_days(grid_day, 7 * (series.number + 1))
      ELSE pl_add_months(grid_day, step_months * (series.number + 1))
    END AS next_day,
    CASE
      WHEN rollover IN ('none', 'deficit') THEN
        CASE
          WHEN step_months IS NULL THEN pl_add_days(grid_day, 7 * (series.number + 1))
          ELSE pl_add_months(grid_day, step_months * (series.number + 1))
        END
      WHEN step_months IS NULL THEN pl_add_days(grid_day, 7 * (series.number + 1 + expires_after))
      ELSE pl_add_months(grid_day, step_months * (series.number + 1 + expires_after))
    END AS expiry_day
  FROM grids
  CROSS JOIN UNNEST(pl_number_series(0, LEAST(600, pl_whole_steps(pl_days_between(grid_day, last_day), least_days)))) AS series (number)
),
cut AS (
  SELECT
    numbered.*,
    CASE WHEN begin_day < start_date THEN start_date ELSE begin_day END AS first_date,
    LEAST(pl_add_days(next_day, -1), COALESCE(end_date, pl_add_days(next_day, -1))) AS last_date,
    LEAST(COALESCE(pl_add_days(expiry_day, -1), end_date), COALESCE(end_date, pl_add_days(expiry_day, -1))) AS lapse_date,
    pl_days_between(begin_day, next_day) AS whole_days
  FROM numbered
  WHERE begin_day <= last_day
),
amounts AS (
  SELECT retainer_id, valid_from, amount, price, ROW_NUMBER() OVER (PARTITION BY retainer_id, valid_from ORDER BY position DESC) AS recency
  FROM staging.retainer_amounts
),
ranges AS (
  SELECT
    retainer_id,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY retainer_id ORDER BY valid_from) AS valid_to,
    amount,
    price
  FROM amounts
  WHERE recency = 1
),
priced AS (
  SELECT
    cut.*,
    pl_days_between(cut.first_date, cut.last_date) + 1 AS days,
    CASE WHEN cut.first_period = 'whole' THEN 1 ELSE pl_days_between(cut.first_date, cut.last_date) + 1 END AS part_days,
    CASE WHEN cut.first_period = 'whole' THEN 1 ELSE cut.whole_days END AS all_days,
    CASE WHEN cut.unit = 'hours' THEN pl_hour_units(ranges.amount) ELSE pl_money_units(pl_round_money(ranges.amount, cut.minor_units), cut.minor_units) END
      AS amount_units,
    pl_money_units(pl_round_money(CASE WHEN cut.unit = 'hours' THEN ranges.price ELSE ranges.amount END, cut.minor_units), cut.minor_units) AS price_amount
  FROM cut
  JOIN ranges ON ranges.retainer_id = cut.retainer_id AND ranges.valid_from <= cut.first_date AND ranges.valid_to > cut.first_date
),
lots AS (
  SELECT
    priced.*,
    CAST(pl_share_of_units(amount_units, part_days, all_days) AS BIGINT) AS capacity,
    CASE WHEN NOT is_internal THEN CAST(pl_share_of_units(price_amount, part_days, all_days) AS BIGINT) END AS price_units
  FROM priced
),
summed AS (
  SELECT
    lots.*,
    CAST(SUM(capacity) OVER (PARTITION BY retainer_id ORDER BY number ROWS UNBOUNDED PRECEDING) AS BIGINT) AS capacity_so_far,
    CAST(SUM(capacity) OVER (PARTITION BY retainer_id) AS BIGINT) AS capacity_total
  FROM lots
),
lapses AS (
  SELECT retainer_id, lapse_date, MAX(capacity_so_far) AS capacity_so_far
  FROM summed
  WHERE lapse_date IS NOT NULL
  GROUP BY retainer_id, lapse_date
)
SELECT
  summed.retainer_id,
  summed.project_id,
  summed.phase_key,
  CAST(summed.number AS INTEGER) AS number,
  summed.first_date,
  summed.last_date,
  summed.days,
  summed.unit,
  summed.counts,
  summed.rollover,
  summed.rollover IN ('deficit', 'both') AS has_debts,
  summed.rollover = 'surplus' AND summed.expires_after IS NOT NULL AS is_bounded_twice,
  CASE WHEN summed.status = pl_line_status('canceled') THEN 'as_used' ELSE summed.recognise END AS recognise,
  summed.overage,
  summed.minor_units,
  summed.capacity,
  summed.capacity_so_far - summed.capacity AS capacity_before,
  summed.capacity_so_far,
  summed.capacity_total,
  summed.lapse_date,
  COALESCE(MAX(lapses.capacity_so_far) OVER (PARTITION BY summed.retainer_id ORDER BY summed.number ROWS UNBOUNDED PRECEDING), 0) AS lapsed_so_far,
  summed.price_units,
  summed.project_status,
  summed.status
FROM summed
LEFT JOIN lapses ON lapses.retainer_id = summed.retainer_id AND lapses.lapse_date = summed.last_date
