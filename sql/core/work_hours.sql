-- One row per person and range of days [valid_from, valid_to) in which the hours of a week don't change, within the employment.
-- Stored as a table.
-- W(p,d) is the entry for d's weekday in the range that holds d, and 0 where no range does (D1).
WITH own_hours AS (
  SELECT
    people.people_id,
    staged.sunday_hours IS NOT NULL AS has_own,
    staged.sunday_hours,
    staged.monday_hours,
    staged.tuesday_hours,
    staged.wednesday_hours,
    staged.thursday_hours,
    staged.friday_hours,
    staged.saturday_hours
  FROM core.people
  LEFT JOIN staging.people AS staged ON staged.people_id = people.people_id
),
changes AS (
  SELECT
    own_hours.people_id,
    DATE '1970-01-01' AS valid_from,
    0 AS position,
    CASE WHEN has_own THEN own_hours.sunday_hours ELSE settings.sunday_hours END AS sunday_hours,
    CASE WHEN has_own THEN own_hours.monday_hours ELSE settings.monday_hours END AS monday_hours,
    CASE WHEN has_own THEN own_hours.tuesday_hours ELSE settings.tuesday_hours END AS tuesday_hours,
    CASE WHEN has_own THEN own_hours.wednesday_hours ELSE settings.wednesday_hours END AS wednesday_hours,
    CASE WHEN has_own THEN own_hours.thursday_hours ELSE settings.thursday_hours END AS thursday_hours,
    CASE WHEN has_own THEN own_hours.friday_hours ELSE settings.friday_hours END AS friday_hours,
    CASE WHEN has_own THEN own_hours.saturday_hours ELSE settings.saturday_hours END AS saturday_hours
  FROM own_hours
  CROSS JOIN core.settings
  UNION ALL
  SELECT
    people_id,
    valid_from,
    position,
    sunday_hours,
    monday_hours,
    tuesday_hours,
    wednesday_hours,
    thursday_hours,
    friday_hours,
    saturday_hours
  FROM staging.work_hours_changes
),
ranked_changes AS (
  SELECT
    people_id,
    valid_from,
    ROW_NUMBER() OVER (PARTITION BY people_id, valid_from ORDER BY position DESC) AS recency,
    sunday_hours,
    monday_hours,
    tuesday_hours,
    wednesday_hours,
    thursday_hours,
    friday_hours,
    saturday_hours
  FROM changes
),
ranges AS (
  SELECT
    people_id,
    valid_from,
    LEAD(valid_from, 1, DATE '2100-01-01') OVER (PARTITION BY people_id ORDER BY valid_from) AS valid_to,
    sunday_hours,
    monday_hours,
    tuesday_hours,
    wednesday_hours,
    thursday_hours,
    friday_hours,
    saturday_hours
  FROM ranked_changes
  WHERE recency = 1
)
SELECT
  ranges.people_id,
  GREATEST(ranges.valid_from, people.employed_from) AS valid_from,
  LEAST(ranges.valid_to, people.employed_to) AS valid_to,
  pl_weekdays_of_week(
    sunday_hours > 0, monday_hours > 0, tuesday_hours > 0, wednesday_hours > 0, thursday_hours > 0, friday_hours > 0, saturday_hours > 0
  ) AS work_weekdays,
  sunday_hours,
  monday_hours,
  tuesday_hours,
  wednesday_hours,
  thursday_hours,
  friday_hours,
  saturday_hours
FROM ranges
JOIN core.people ON people.people_id = ranges.people_id
WHERE ranges.valid_from < people.employed_to AND ranges.valid_to > people.employed_from
