-- One row per occurrence of an allocation or time off for a person: the first (0) and each repeat. Occurrences that share days are one, with the
-- number of the first of them (D3).
-- Stored as a table.
WITH compared AS (
  SELECT
    kind,
    item_id,
    people_id,
    step AS occurrence,
    first_date,
    last_date,
    is_counted,
    CASE
      WHEN first_date <= LAG(last_date) OVER (PARTITION BY kind, item_id, people_id, is_counted ORDER BY step) THEN 0
      ELSE 1
    END AS begins
  FROM core.repeats
  WHERE may_share_days
),
numbered AS (
  SELECT
    kind,
    item_id,
    people_id,
    occurrence,
    first_date,
    last_date,
    is_counted,
    SUM(begins) OVER (PARTITION BY kind, item_id, people_id, is_counted ORDER BY occurrence) AS number
  FROM compared
)
SELECT
  kind,
  item_id,
  people_id,
  0 AS occurrence,
  start_date AS first_date,
  CASE WHEN is_unbroken THEN GREATEST(end_date, repeat_end_date) ELSE end_date END AS last_date,
  is_counted
FROM core.items
WHERE NOT may_share_days
UNION ALL
SELECT kind, item_id, people_id, step AS occurrence, first_date, last_date, is_counted
FROM core.repeats
WHERE NOT may_share_days
UNION ALL
SELECT
  kind,
  item_id,
  people_id,
  MIN(occurrence) AS occurrence,
  MIN(first_date) AS first_date,
  MAX(last_date) AS last_date,
  is_counted
FROM numbered
GROUP BY kind, item_id, people_id, is_counted, number
