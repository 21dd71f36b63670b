-- One row per occurrence of an allocation or a time off for a person: the first (0) and each repeat.
-- D2: week steps add days. Month steps keep the weekday: the n-th such weekday of the month, or its last where it has no fifth.
-- No day after the repeat end counts, save in the first occurrence, which counts whole.
-- D3: is_overlapping says that occurrences of the item share days, which then count once. Month steps are 28 days apart or more.
WITH repeats AS (
  SELECT
    items.kind,
    items.item_id,
    items.people_id,
    items.start_date,
    items.repeat_end_date,
    days_between(items.start_date, items.end_date) AS further_days,
    repeat_steps.step_days,
    repeat_steps.step_months,
    days_between(items.start_date, items.end_date) >= repeat_steps.step_days + 28 * repeat_steps.step_months AS is_overlapping,
    CASE
      WHEN repeat_steps.step_days > 0
        THEN whole_steps(days_between(items.start_date, items.repeat_end_date), repeat_steps.step_days)
      ELSE whole_steps(months_between(items.start_date, items.repeat_end_date), repeat_steps.step_months)
    END AS step_count
  FROM core.items
  JOIN core.repeat_steps ON repeat_steps.repeat_state = items.repeat_state
),
steps AS (
  SELECT
    repeats.kind,
    repeats.item_id,
    repeats.people_id,
    series.step,
    repeats.start_date,
    repeats.repeat_end_date,
    repeats.further_days,
    repeats.step_days,
    repeats.is_overlapping,
    add_months(first_of_month(repeats.start_date), series.step * repeats.step_months) AS month_start
  FROM repeats
  CROSS JOIN UNNEST(number_series(1, repeats.step_count)) AS series (step)
),
candidates AS (
  SELECT
    kind,
    item_id,
    people_id,
    step,
    start_date,
    repeat_end_date,
    further_days,
    step_days,
    is_overlapping,
    month_start,
    add_days(
      month_start,
      MOD(weekday(start_date) - weekday(month_start) + 7, 7) + 7 * weeks_into_month(start_date)
    ) AS same_weekday_date
  FROM steps
),
starts AS (
  SELECT
    kind,
    item_id,
    people_id,
    step,
    CASE
      WHEN step_days > 0 THEN add_days(start_date, step * step_days)
      WHEN months_between(month_start, same_weekday_date) = 0 THEN same_weekday_date
      ELSE add_days(same_weekday_date, -7)
    END AS first_date,
    further_days,
    repeat_end_date,
    is_overlapping
  FROM candidates
)
SELECT
  items.kind,
  items.item_id,
  items.people_id,
  0 AS occurrence,
  items.start_date AS first_date,
  items.end_date AS last_date,
  COALESCE(
    days_between(items.start_date, items.end_date) >= repeat_steps.step_days + 28 * repeat_steps.step_months, FALSE
  ) AS is_overlapping
FROM core.items
LEFT JOIN core.repeat_steps ON repeat_steps.repeat_state = items.repeat_state
UNION ALL
SELECT
  starts.kind,
  starts.item_id,
  starts.people_id,
  starts.step AS occurrence,
  starts.first_date,
  LEAST(add_days(starts.first_date, starts.further_days), starts.repeat_end_date) AS last_date,
  starts.is_overlapping
FROM starts
WHERE starts.first_date <= starts.repeat_end_date
