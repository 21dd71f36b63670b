-- One row per person and range of days [valid_from, valid_to) with one role and one cost rate. The ranges of a person cover every day.
-- stored: table
-- R3: an unknown person has no cost rate.
-- R4: role_bill_rate is the bill rate of the day's role, for lines without a team role.
SELECT
  people.people_id,
  COALESCE(cost_rates.valid_from, pl_first_day()) AS valid_from,
  COALESCE(cost_rates.valid_to, pl_after_last_day()) AS valid_to,
  cost_rates.role_id,
  cost_rates.cost_rate,
  pl_cost_rate_source(COALESCE(cost_rates.cost_rate_source, 'none')) AS cost_rate_source,
  roles.default_hourly_rate AS role_bill_rate
FROM core.people
LEFT JOIN core.cost_rates ON cost_rates.people_id = people.people_id
LEFT JOIN staging.roles ON roles.role_id = cost_rates.role_id
