-- One row per person and range of days [valid_from, valid_to) with the same weekly hours, within the employment.
-- stored: table
-- D1: W(p,d) is the entry of week_hours (Sunday first) for the weekday of d in the range that contains d, and 0 outside the ranges.
WITH changes AS (
  SELECT
    people.people_id,
    pl_first_day() AS valid_from,
    0 AS position,
    COALESCE(staged.week_hours, settings.week_hours) AS week_hours
  FROM core.people
  LEFT JOIN staging.people AS staged ON staged.people_id = people.people_id
  CROSS JOIN core.settings
  UNION ALL
  SELECT people_id, valid_from, position, week_hours
  FROM staging.work_hours_changes
),
ranked_changes AS (
  SELECT
    people_id,
    valid_from,
    week_hours,
    ROW_NUMBER() OVER (PARTITION BY people_id, valid_from ORDER BY position DESC) AS recency
  FROM changes
),
ranges AS (
  SELECT
    people_id,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY people_id ORDER BY valid_from) AS valid_to,
    week_hours
  FROM ranked_changes
  WHERE recency = 1
)
SELECT
  ranges.people_id,
  GREATEST(ranges.valid_from, people.employed_from) AS valid_from,
  LEAST(ranges.valid_to, people.employed_to) AS valid_to,
  pl_work_weekdays(ranges.week_hours) AS work_weekdays,
  ranges.week_hours
FROM ranges
JOIN core.people ON people.people_id = ranges.people_id
WHERE ranges.valid_from < people.employed_to AND ranges.valid_to > people.employed_from
