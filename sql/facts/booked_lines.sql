-- One row per project, phase and span of days in which something is booked otherwise than it is known today of these days: the difference, by amount, and the part
-- of the booked revenue that is of earlier days (catch_up). has_catch_up is false where what a closing has kept is on both sides of the first day of its period.
-- Parameters: booked_spans, of facts/booked_spans, and those of that: booked_chain, booked_kept and booked_today.
-- A period is booked as what its closing has kept of all days up to its end, less what the one before it has kept. The first open day is booked as
-- if today were a closing. So all spans add up to what is known today.
-- All of it stands on the last day of the span (date).
WITH stated AS (
  SELECT place, project_id, phase_id, first_date, last_date, COALESCE(revenue, 0) AS revenue, COALESCE(cost, 0) AS cost, COALESCE(expenses, 0) AS expenses
  FROM booked_kept
  UNION ALL
  SELECT
    last_place.place + 1 AS place,
    project_id,
    phase_id,
    date AS first_date,
    date AS last_date,
    COALESCE(revenue, 0) AS revenue,
    COALESCE(cost, 0) AS cost,
    COALESCE(expenses, 0) AS expenses
  FROM booked_today
  CROSS JOIN (SELECT MAX(place) AS place FROM booked_chain) AS last_place
),
placed AS (
  SELECT stated.*, spans.first_date AS period_start, spans.place > 1 AND stated.first_date < spans.first_date AS is_earlier
  FROM stated
  JOIN booked_spans AS spans ON spans.place = stated.place
),
parts AS (
  SELECT
    project_id,
    phase_id,
    CASE WHEN place = 1 AND last_date < period_start THEN pl_first_of_month(first_date) ELSE period_start END AS span_start,
    revenue,
    cost,
    expenses,
    CASE WHEN is_earlier THEN revenue ELSE 0 END AS catch_up,
    NOT (is_earlier AND last_date >= period_start) AS has_catch_up
  FROM placed
  UNION ALL
  SELECT project_id, phase_id, spans.first_date AS span_start, -revenue, -cost, -expenses, -revenue AS catch_up, TRUE AS has_catch_up
  FROM stated
  JOIN booked_spans AS spans ON spans.place = stated.place + 1 AND spans.place > 1
  UNION ALL
  SELECT
    project_id,
    phase_id,
    spans.first_date AS span_start,
    -COALESCE(revenue, 0),
    -COALESCE(cost, 0),
    -COALESCE(expenses, 0),
    0 AS catch_up,
    TRUE AS has_catch_up
  FROM booked_today
  JOIN booked_spans AS spans ON booked_today.date BETWEEN spans.first_date AND spans.last_date
)
SELECT
  parts.project_id,
  parts.phase_id,
  spans.last_date AS date,
  SUM(parts.revenue) AS revenue,
  SUM(parts.cost) AS cost,
  SUM(parts.expenses) AS expenses,
  SUM(parts.catch_up) AS catch_up,
  MIN(CASE WHEN parts.has_catch_up THEN 1 ELSE 0 END) = 1 AS has_catch_up
FROM parts
JOIN booked_spans AS spans ON spans.first_date = parts.span_start
GROUP BY parts.project_id, parts.phase_id, spans.first_date, spans.last_date
HAVING SUM(parts.revenue) <> 0
  OR SUM(parts.cost) <> 0
  OR SUM(parts.expenses) <> 0
  OR SUM(parts.catch_up) <> 0
  OR MIN(CASE WHEN parts.has_catch_up THEN 1 ELSE 0 END) = 0
