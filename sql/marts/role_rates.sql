-- One row per role and range of days with the same standard rates.
-- Both ends are included; 1970-01-01 and 2099-12-31 mean always. A bill rate has no history: it is the same in all ranges of a role.
SELECT
  role_cost_rates.role_id,
  roles.name AS role,
  role_cost_rates.valid_from AS first_date,
  pl_add_days(role_cost_rates.valid_to, -1) AS last_date,
  roles.default_hourly_rate AS bill_rate,
  role_cost_rates.cost_rate
FROM core.role_cost_rates
JOIN staging.roles ON roles.role_id = role_cost_rates.role_id
