-- One row per person and range of days [valid_from, valid_to) with one role and one cost rate; the ranges of a person cover every day.
-- Stored as a table.
-- R3: the contract's cost rate, else that of the contract's (without a contract: the person's) role, else none. The team plays no part.
-- R4: role_bill_rate is what that role is billed at, for lines on which no team says another role.
WITH terms AS (
  SELECT
    people_id,
    valid_from,
    valid_to,
    role_id,
    cost_rate,
    cost_rate_source,
    CASE WHEN cost_rate IS NULL THEN role_id END AS cost_role_id
  FROM core.contracts
)
SELECT
  terms.people_id,
  GREATEST(terms.valid_from, COALESCE(role_cost_rates.valid_from, terms.valid_from)) AS valid_from,
  LEAST(terms.valid_to, COALESCE(role_cost_rates.valid_to, terms.valid_to)) AS valid_to,
  terms.role_id,
  COALESCE(terms.cost_rate, role_cost_rates.cost_rate) AS cost_rate,
  pl_cost_rate_source(
    COALESCE(terms.cost_rate_source, CASE WHEN role_cost_rates.cost_rate IS NOT NULL THEN 'role' ELSE 'none' END)
  ) AS cost_rate_source,
  roles.default_hourly_rate AS role_bill_rate
FROM terms
LEFT JOIN core.role_cost_rates
  ON role_cost_rates.role_id = terms.cost_role_id
  AND role_cost_rates.valid_from < terms.valid_to
  AND role_cost_rates.valid_to > terms.valid_from
LEFT JOIN staging.roles ON roles.role_id = terms.role_id
