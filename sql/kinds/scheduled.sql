-- One row per weekday of an allocation that is no day off: what is planned for it.
-- D6: an allocation has a line on each of its weekdays that is no day off (D4).
-- rank: 1
-- counts_as: plan
-- record: tasks task_id BIGINT
-- line_id: s: task_id people_id date
-- pairs: date, people_id
-- sorted: date
-- changes_with: people_id
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
)
SELECT
  days.day AS date,
  days.people_id,
  days.role_id,
  days.project_id,
  days.phase_id,
  days.task_meta_id,
  days.task_id,
  days.status,
  days.billable,
  days.hours,
  days.cost_rate,
  days.cost_rate_source,
  days.cost,
  days.bill_rate,
  days.bill_rate_source,
  days.bill_rate_from,
  days.fee
FROM days
LEFT JOIN days_off ON days_off.people_id = days.people_id AND days_off.date = days.day
WHERE pl_has_weekday(days.weekdays, pl_weekday(days.day)) AND days_off.people_id IS NULL
