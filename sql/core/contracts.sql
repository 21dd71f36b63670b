-- One row per person record and range of days [valid_from, valid_to) with one contract or without a contract. The ranges of a person cover every day.
-- R1: the latest contract in effect; of two with the same date, the later in the list. A contract without a date starts with the employment or has
-- always been in effect. A lone cost rate of a person without contracts counts as a contract with the person's own role.
-- position is the contract's place in the person's list; 0 means no contract.
-- R2, R3: the role is the contract's or, on a day without a contract, the person's.
-- Reads only source records, so a record just written needs no refresh.
-- part: people
WITH listed AS (
  SELECT
    contracts.people_id,
    COALESCE(contracts.effective_date, people.start_date, pl_first_day()) AS valid_from,
    contracts.position,
    contracts.role_id,
    contracts.cost_rate,
    contracts.cost_rate_from
  FROM staging.contracts
  JOIN staging.people ON people.people_id = contracts.people_id
  UNION ALL
  SELECT
    people.people_id,
    COALESCE(people.cost_rate_from_date, pl_first_day()) AS valid_from,
    1 AS position,
    people.role_id,
    people.cost_rate,
    NULL AS cost_rate_from
  FROM staging.people
  LEFT JOIN (SELECT DISTINCT people_id FROM staging.contracts) AS holders ON holders.people_id = people.people_id
  WHERE holders.people_id IS NULL AND people.cost_rate IS NOT NULL
  UNION ALL
  SELECT
    people_id,
    pl_first_day() AS valid_from,
    0 AS position,
    role_id,
    NULL AS cost_rate,
    NULL AS cost_rate_from
  FROM staging.people
),
ranked AS (
  SELECT
    people_id,
    valid_from,
    position,
    role_id,
    cost_rate,
    cost_rate_from,
    ROW_NUMBER() OVER (PARTITION BY people_id, valid_from ORDER BY position DESC) AS recency
  FROM listed
)
SELECT
  people_id,
  valid_from,
  LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY people_id ORDER BY valid_from) AS valid_to,
  position,
  role_id,
  cost_rate,
  CASE WHEN cost_rate IS NOT NULL THEN COALESCE(cost_rate_from, 'person') END AS cost_rate_source
FROM ranked
WHERE recency = 1
