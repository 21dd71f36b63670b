-- One row per line of the ledger: a scheduled day, a logged-time record or an expense. Every number in every report is a sum over it.
-- stored: table
-- S1: expenses are confirmed.
-- D6: an allocation has a line on each of its weekdays that is no day off (D4). D7: a logged day always counts.
-- month is the first day of the date's month, so that sums by month skip the blocks of other months.
-- Sorted by kind and date. Sorting each kind on its own takes half the memory of sorting all together.
WITH days AS (
  SELECT priced.*, pl_add_days(priced.date, series.day) AS day
  FROM core.priced
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(priced.date, priced.last_date))) AS series (day)
  WHERE priced.kind = pl_line_kind('scheduled')
),
days_off AS (
  SELECT people_id, date
  FROM core.time_off_days
  WHERE is_day_off
),
worked AS (
  (
    SELECT days.*
    FROM days
    LEFT JOIN days_off ON days_off.people_id = days.people_id AND days_off.date = days.day
    WHERE pl_has_weekday(days.weekdays, pl_weekday(days.day)) AND days_off.people_id IS NULL
    ORDER BY days.day
  )
  UNION ALL
  (
    SELECT priced.*, priced.date AS day
    FROM core.priced
    WHERE priced.kind = pl_line_kind('actual')
    ORDER BY priced.date
  )
)
SELECT
  kind,
  day AS date,
  pl_first_of_month(day) AS month,
  people_id,
  role_id,
  project_id,
  phase_id,
  task_meta_id,
  task_id,
  logged_time_id,
  project_expense_id,
  status,
  billable,
  hours,
  cost_rate,
  cost_rate_source,
  cost,
  bill_rate,
  bill_rate_source,
  fee
FROM worked
UNION ALL
SELECT
  pl_line_kind('expense') AS kind,
  date,
  pl_first_of_month(date) AS month,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS role_id,
  project_id,
  0 AS phase_id,
  CAST(NULL AS BIGINT) AS task_meta_id,
  CAST(NULL AS BIGINT) AS task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  project_expense_id,
  pl_line_status('confirmed') AS status,
  billable,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS cost_rate,
  pl_cost_rate_source(NULL) AS cost_rate_source,
  cost,
  CAST(NULL AS DECIMAL(18, 4)) AS bill_rate,
  pl_bill_rate_source(NULL) AS bill_rate_source,
  fee
FROM (SELECT * FROM core.expenses ORDER BY date) AS spent
