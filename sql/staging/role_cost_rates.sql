-- One row per entry of a role's cost rate history.
-- An entry without a date has always been in effect (R3).
SELECT
  role_id,
  position,
  COALESCE(effective_date, pl_first_day()) AS valid_from,
  rate AS cost_rate
FROM source.cost_rate_history
