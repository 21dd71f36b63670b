-- One row per role and range of days [valid_from, valid_to) with one cost rate. The ranges of a role cover every day.
-- R3: the latest entry of the history in effect; of two with the same date, the later in the list.
-- part: where role_id IN (SELECT role_id FROM marts.roles)
WITH entries AS (
  SELECT role_id, pl_first_day() AS valid_from, 0 AS position, CAST(NULL AS DECIMAL(18, 4)) AS cost_rate
  FROM staging.roles
  UNION ALL
  SELECT role_id, valid_from, position, cost_rate
  FROM staging.role_cost_rates
),
ranked_entries AS (
  SELECT
    role_id,
    valid_from,
    cost_rate,
    ROW_NUMBER() OVER (PARTITION BY role_id, valid_from ORDER BY position DESC) AS recency
  FROM entries
)
SELECT
  role_id,
  valid_from,
  LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY role_id ORDER BY valid_from) AS valid_to,
  cost_rate
FROM ranked_entries
WHERE recency = 1
