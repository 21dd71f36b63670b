-- One row per occurrence that counts of an allocation or time off for a person: the first (0) and each repeat. Occurrences that share days count as one,
-- with the number of the first of them (D3).
-- stored: table
-- part: where kind = 'allocation' AND item_id IN (SELECT task_id FROM core.ledger) AND people_id IN (SELECT people_id FROM core.named_people)
WITH compared AS (
  SELECT
    kind,
    item_id,
    people_id,
    step AS occurrence,
    first_date,
    last_date,
    CASE
      WHEN first_date <= LAG(last_date) OVER (PARTITION BY kind, item_id, people_id ORDER BY step) THEN 0
      ELSE 1
    END AS begins
  FROM core.repeats
  WHERE may_share_days AND is_counted
),
numbered AS (
  SELECT
    kind,
    item_id,
    people_id,
    occurrence,
    first_date,
    last_date,
    SUM(begins) OVER (PARTITION BY kind, item_id, people_id ORDER BY occurrence) AS number
  FROM compared
)
SELECT
  kind,
  item_id,
  people_id,
  0 AS occurrence,
  start_date AS first_date,
  CASE WHEN is_unbroken THEN GREATEST(end_date, repeat_end_date) ELSE end_date END AS last_date
FROM core.items
WHERE is_counted AND NOT may_share_days
UNION ALL
SELECT kind, item_id, people_id, step AS occurrence, first_date, last_date
FROM core.repeats
WHERE is_counted AND NOT may_share_days
UNION ALL
SELECT
  kind,
  item_id,
  people_id,
  MIN(occurrence) AS occurrence,
  MIN(first_date) AS first_date,
  MAX(last_date) AS last_date
FROM numbered
GROUP BY kind, item_id, people_id, number
