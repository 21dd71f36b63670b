-- One row per person and range of days [valid_from, valid_to) with one contract or none; the ranges of a person cover every day.
-- R1: of the contracts effective on or before the day the latest; of two on one date the later in the list. One without a date
-- starts with the person, or always. A person with a cost rate but no contracts has one, with the person's own role.
-- R2, R3: the role is the contract's on a day with a contract, else the person's.
WITH listed AS (
  SELECT
    contracts.people_id,
    COALESCE(contracts.effective_date, people.start_date, DATE '1970-01-01') AS valid_from,
    contracts.position,
    contracts.role_id,
    contracts.cost_rate,
    contracts.cost_rate_from
  FROM staging.contracts
  JOIN core.people ON people.people_id = contracts.people_id
  UNION ALL
  SELECT
    people.people_id,
    COALESCE(people.cost_rate_from_date, DATE '1970-01-01') AS valid_from,
    1 AS position,
    people.role_id,
    people.cost_rate,
    NULL AS cost_rate_from
  FROM core.people
  LEFT JOIN (SELECT DISTINCT people_id FROM staging.contracts) AS holders ON holders.people_id = people.people_id
  WHERE holders.people_id IS NULL AND people.cost_rate IS NOT NULL
  UNION ALL
  SELECT
    people_id,
    DATE '1970-01-01' AS valid_from,
    0 AS position,
    role_id,
    NULL AS cost_rate,
    NULL AS cost_rate_from
  FROM core.people
),
ranked AS (
  SELECT
    people_id,
    valid_from,
    role_id,
    cost_rate,
    cost_rate_from,
    ROW_NUMBER() OVER (PARTITION BY people_id, valid_from ORDER BY position DESC) AS recency
  FROM listed
)
SELECT
  people_id,
  valid_from,
  LEAD(valid_from, 1, DATE '2100-01-01') OVER (PARTITION BY people_id ORDER BY valid_from) AS valid_to,
  role_id,
  cost_rate,
  CASE WHEN cost_rate IS NOT NULL THEN COALESCE(cost_rate_from, 'person') END AS cost_rate_source
FROM ranked
WHERE recency = 1
