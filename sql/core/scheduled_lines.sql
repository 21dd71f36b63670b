-- One row per allocation, person and day: a day's hours of the plan. Its weekday counts, and it is no day off (D6).
WITH days AS (
  SELECT
    spans.task_id,
    spans.people_id,
    pl_add_days(spans.first_date, series.day) AS date,
    spans.weekdays,
    spans.role_id,
    spans.project_id,
    spans.phase_id,
    spans.task_meta_id,
    spans.status,
    spans.is_billable,
    spans.hours,
    spans.cost_rate,
    spans.cost_rate_source,
    spans.cost,
    spans.bill_rate,
    spans.bill_rate_source,
    spans.fee
  FROM core.scheduled_spans AS spans
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(spans.first_date, spans.last_date))) AS series (day)
),
days_off AS (
  SELECT people_id, date
  FROM core.time_off_days
  WHERE is_day_off
)
SELECT
  pl_line_kind('scheduled') AS kind,
  days.date,
  pl_first_of_month(days.date) AS month,
  days.people_id,
  days.role_id,
  days.project_id,
  days.phase_id,
  days.task_meta_id,
  days.task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  CAST(NULL AS BIGINT) AS project_expense_id,
  days.status,
  days.is_billable AS billable,
  days.hours,
  days.cost_rate,
  days.cost_rate_source,
  days.cost,
  days.bill_rate,
  days.bill_rate_source,
  days.fee
FROM days
LEFT JOIN days_off ON days_off.people_id = days.people_id AND days_off.date = days.date
WHERE pl_has_weekday(days.weekdays, pl_weekday(days.date)) AND days_off.people_id IS NULL
