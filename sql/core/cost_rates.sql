-- One row per person record and range of days [valid_from, valid_to) with one role and one cost rate. The ranges of a person cover every day.
-- R3: the contract's cost rate, or else that of the contract's role (without a contract: the person's role), or else none. Teams have no effect.
-- Reads only source records, so a record just written needs no refresh.
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
  terms.cost_rate IS NOT NULL AS is_own_rate,
  COALESCE(terms.cost_rate, role_cost_rates.cost_rate) AS cost_rate,
  COALESCE(terms.cost_rate_source, CASE WHEN role_cost_rates.cost_rate IS NOT NULL THEN 'role' ELSE 'none' END) AS cost_rate_source
FROM terms
LEFT JOIN core.role_cost_rates
  ON role_cost_rates.role_id = terms.cost_role_id
  AND role_cost_rates.valid_from < terms.valid_to
  AND role_cost_rates.valid_to > terms.valid_from
