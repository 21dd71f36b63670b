-- A person has one set of weekly hours on each day: the ranges don't overlap.
-- checked: core.work_hours by people_id
WITH ranges AS (
  SELECT people_id, valid_from, valid_to, LEAD(valid_from) OVER (PARTITION BY people_id ORDER BY valid_from) AS next_valid_from
  FROM core.work_hours
)
SELECT people_id, valid_from, valid_to, next_valid_from
FROM ranges
WHERE valid_from >= valid_to OR next_valid_from < valid_to
