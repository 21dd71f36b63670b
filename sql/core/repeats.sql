-- One row per repeat of an allocation or time off for a person, from 1. If occurrences may share days, 0 is the first occurrence; if all occurrences
-- are one, there are no rows (D3).
-- D2: steps in weeks add days. Steps in months keep the weekday: the n-th such weekday of the month, or the last if there is no fifth.
-- Days after the repeat end don't count, except in the first occurrence.
-- Conditions on start_date and repeat_end_date, the item's own columns, exclude items before their repeats are computed.
WITH steps AS (
  SELECT
    items.kind,
    items.item_id,
    items.people_id,
    items.start_date,
    items.further_days,
    items.step_days,
    items.repeat_end_date,
    items.may_share_days,
    items.is_counted,
    series.step,
    pl_add_months(pl_first_of_month(items.start_date), series.step * items.step_months) AS month_start
  FROM core.items
  CROSS JOIN UNNEST(
    pl_number_series(
      CASE WHEN items.may_share_days THEN 0 ELSE 1 END,
      CASE
        WHEN items.repeat_end_date < items.start_date THEN 0
        WHEN items.step_days > 0 THEN pl_whole_steps(pl_days_between(items.start_date, items.repeat_end_date), items.step_days)
        ELSE pl_whole_steps(pl_months_between(items.start_date, items.repeat_end_date), items.step_months)
      END
    )
  ) AS series (step)
  WHERE items.repeat_state > 0 AND NOT items.is_unbroken
),
candidates AS (
  SELECT
    kind,
    item_id,
    people_id,
    start_date,
    further_days,
    step_days,
    repeat_end_date,
    may_share_days,
    is_counted,
    step,
    month_start,
    pl_add_days(
      month_start,
      MOD(pl_weekday(start_date) - pl_weekday(month_start) + 7, 7) + 7 * pl_weeks_into_month(start_date)
    ) AS same_weekday_date
  FROM steps
),
starts AS (
  SELECT
    kind,
    item_id,
    people_id,
    start_date,
    step,
    CASE
      WHEN step_days > 0 THEN pl_add_days(start_date, step * step_days)
      WHEN pl_months_between(month_start, same_weekday_date) = 0 THEN same_weekday_date
      ELSE pl_add_days(same_weekday_date, -7)
    END AS first_date,
    further_days,
    repeat_end_date,
    may_share_days,
    is_counted
  FROM candidates
)
SELECT
  kind,
  item_id,
  people_id,
  start_date,
  repeat_end_date,
  step,
  first_date,
  CASE WHEN step = 0 THEN pl_add_days(first_date, further_days) ELSE LEAST(pl_add_days(first_date, further_days), repeat_end_date) END AS last_date,
  may_share_days,
  is_counted
FROM starts
WHERE step = 0 OR first_date <= repeat_end_date
