-- One row per person and range of days [valid_from, valid_to) with the same weekly hours, within the employment.
-- stored: table
-- D5: within the range there is capacity from valid_from until the day before capacity_to; none where that is null.
-- D7: people who work by call have the company's week, by which they are planned.
-- D1: W(p,d) is the entry of week_hours (Sunday first) for the weekday of d in the range that contains d, and 0 outside the ranges.
-- part: own
-- copied: without rates
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
),
employed AS (
  SELECT
    ranges.people_id,
    GREATEST(ranges.valid_from, people.employed_from) AS valid_from,
    LEAST(ranges.valid_to, people.employed_to) AS valid_to,
    people.capacity_to,
    CASE WHEN people.is_by_call THEN settings.week_hours ELSE ranges.week_hours END AS week_hours
  FROM ranges
  JOIN core.people ON people.people_id = ranges.people_id
  CROSS JOIN core.settings
  WHERE ranges.valid_from < people.employed_to AND ranges.valid_to > people.employed_from
)
SELECT
  people_id,
  valid_from,
  valid_to,
  CASE WHEN capacity_to > valid_from THEN LEAST(valid_to, capacity_to) END AS capacity_to,
  pl_work_weekdays(week_hours) AS work_weekdays,
  week_hours
FROM employed
