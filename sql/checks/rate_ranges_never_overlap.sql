-- A person has one role and one cost rate on each day: the ranges have no gaps or overlaps.
-- checked: core.person_rates by people_id
WITH ranges AS (
  SELECT people_id, valid_from, valid_to, LEAD(valid_from) OVER (PARTITION BY people_id ORDER BY valid_from) AS next_valid_from
  FROM core.person_rates
)
SELECT people_id, valid_from, valid_to, next_valid_from
FROM ranges
WHERE valid_from >= valid_to OR next_valid_from <> valid_to
