-- One row per role and range of days with the same standard rates.
-- Both ends are included; 1970-01-01 and 2099-12-31 mean always. bill_rate_from is the day that the bill rate is dated from, empty for the one without a day.
-- key: role_id, first_date
-- refers: role_id roles
-- hides: cost_rate
SELECT
  role_cost_rates.role_id,
  roles.name AS role,
  GREATEST(role_cost_rates.valid_from, bill_rates.valid_from) AS first_date,
  pl_add_days(LEAST(role_cost_rates.valid_to, bill_rates.valid_to), -1) AS last_date,
  bill_rates.bill_rate,
  bill_rates.dated_from AS bill_rate_from,
  role_cost_rates.cost_rate
FROM core.role_cost_rates
JOIN core.bill_rates
  ON bill_rates.level = 'role' AND bill_rates.id = role_cost_rates.role_id
  AND bill_rates.valid_from < role_cost_rates.valid_to AND bill_rates.valid_to > role_cost_rates.valid_from
JOIN staging.roles ON roles.role_id = role_cost_rates.role_id
