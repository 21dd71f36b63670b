-- One row per span of days that is booked as one: the period of each closing of the chain, the months before the first of them, and the first open day.
-- Parameters: booked_chain (place, start_date, end_date), the closings in force in the order of their last days, numbered from 1; booked_kept (place,
-- project_id, phase_id, first_date, last_date, revenue, cost, expenses), what each of them has kept of all days up to its last one, by month; and
-- booked_today (project_id, phase_id, date, revenue, cost, expenses), the same days as they are known today.
-- A period begins after that of the closing before it, so days that no closing covers belong to the next one. That of the first closing begins with its
-- own first day, or earlier if a row of what it has kept is on both sides of it. Days before are booked by month, and have the place 0. The place after that of the last
-- closing is that of the first open day, on which all that has become of earlier days since then stands.
WITH followed AS (
  SELECT place, start_date, end_date, LAG(end_date) OVER (ORDER BY place) AS previous_end
  FROM booked_chain
),
first_rows AS (
  SELECT MIN(booked_kept.first_date) AS first_date
  FROM booked_kept
  JOIN booked_chain ON booked_chain.place = booked_kept.place
  WHERE booked_chain.place = 1 AND booked_kept.first_date < booked_chain.start_date AND booked_kept.last_date >= booked_chain.start_date
),
periods AS (
  SELECT
    followed.place,
    CASE
      WHEN followed.previous_end IS NOT NULL THEN pl_add_days(followed.previous_end, 1)
      ELSE COALESCE(first_rows.first_date, followed.start_date)
    END AS first_date,
    followed.end_date AS last_date
  FROM followed
  CROSS JOIN first_rows
),
earlier_months AS (
  SELECT DISTINCT pl_first_of_month(earlier.date) AS month, periods.first_date
  FROM (
    SELECT first_date AS date FROM booked_kept WHERE place = 1
    UNION ALL
    SELECT date FROM booked_today
  ) AS earlier
  JOIN periods ON periods.place = 1 AND earlier.date < periods.first_date
)
SELECT place, first_date, last_date
FROM periods
UNION ALL
SELECT 0 AS place, month AS first_date, LEAST(pl_add_days(pl_add_months(month, 1), -1), pl_add_days(first_date, -1)) AS last_date
FROM earlier_months
UNION ALL
SELECT place + 1 AS place, pl_add_days(last_date, 1) AS first_date, pl_add_days(last_date, 1) AS last_date
FROM periods
WHERE place = (SELECT MAX(place) FROM booked_chain)
