-- One row per contract in a person's list.
SELECT people_id, position, effective_date, role_id, cost_rate, cost_rate_from
FROM source.contracts
