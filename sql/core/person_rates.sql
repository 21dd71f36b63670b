-- One row per person and range of days [valid_from, valid_to) with one role, one cost rate and the same bill rates. The ranges of a person cover every day.
-- stored: table
-- R3: an unknown person has no cost rate.
-- R4: role_bill_rate is the bill rate of the day's role, for lines without a team role.
-- part: people
-- copied: without rates
-- hides: cost_rate
SELECT
  people.people_id,
  GREATEST(COALESCE(cost_rates.valid_from, pl_first_day()), COALESCE(own.valid_from, pl_first_day()), COALESCE(roles.valid_from, pl_first_day())) AS valid_from,
  LEAST(COALESCE(cost_rates.valid_to, pl_after_last_day()), COALESCE(own.valid_to, pl_after_last_day()), COALESCE(roles.valid_to, pl_after_last_day())) AS valid_to,
  cost_rates.role_id,
  cost_rates.cost_rate,
  pl_cost_rate_source(COALESCE(cost_rates.cost_rate_source, 'none')) AS cost_rate_source,
  own.bill_rate AS own_bill_rate,
  own.dated_from AS own_bill_rate_from,
  roles.bill_rate AS role_bill_rate,
  roles.dated_from AS role_bill_rate_from
FROM core.people
LEFT JOIN core.cost_rates ON cost_rates.people_id = people.people_id
LEFT JOIN core.bill_rates AS own
  ON own.level = 'person' AND own.id = people.people_id
  AND own.valid_from < COALESCE(cost_rates.valid_to, pl_after_last_day()) AND own.valid_to > COALESCE(cost_rates.valid_from, pl_first_day())
LEFT JOIN core.bill_rates AS roles
  ON roles.level = 'role' AND roles.id = cost_rates.role_id
  AND roles.valid_from < LEAST(cost_rates.valid_to, own.valid_to) AND roles.valid_to > GREATEST(cost_rates.valid_from, own.valid_from)
