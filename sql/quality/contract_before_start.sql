-- One row per contract that takes effect before its person starts.
-- says: contracts from before the start of the employment
-- remedy: Correct the date of the contract or of the start.
SELECT
  'notice' AS severity,
  'people' AS resource,
  CAST(contracts.people_id AS VARCHAR) AS id,
  contracts.effective_date AS date,
  'contract ' || CAST(contracts.position AS VARCHAR) || ' takes effect before the person starts on ' || CAST(people.start_date AS VARCHAR)
    AS detail,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS amount_at_risk,
  contracts.people_id,
  CAST(NULL AS BIGINT) AS project_id
FROM staging.contracts
JOIN staging.people ON people.people_id = contracts.people_id
WHERE contracts.effective_date < people.start_date
