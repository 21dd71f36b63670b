-- One row per person and range of days with the same role and the same standard rates: those of work that no project or team prices.
-- Both ends are included; 1970-01-01 and 2099-12-31 mean always. The bill rate is the person's own or else that of the role of these days (R4), and
-- the cost rate that of the contract or else of the role (R3).
-- key: people_id, first_date
-- refers: people_id people, role_id roles
-- hides: cost_rate
SELECT
  person_rates.people_id,
  people.name AS person,
  person_rates.valid_from AS first_date,
  pl_add_days(person_rates.valid_to, -1) AS last_date,
  COALESCE(person_rates.role_id, 0) AS role_id,
  roles.name AS role,
  COALESCE(person_rates.own_bill_rate, person_rates.role_bill_rate) AS bill_rate,
  pl_bill_rate_source(
    CASE
      WHEN person_rates.own_bill_rate IS NOT NULL THEN 'person'
      WHEN person_rates.role_bill_rate IS NOT NULL THEN 'role'
      ELSE 'none'
    END
  ) AS bill_rate_source,
  CASE WHEN person_rates.own_bill_rate IS NOT NULL THEN person_rates.own_bill_rate_from ELSE person_rates.role_bill_rate_from END AS bill_rate_from,
  person_rates.cost_rate,
  person_rates.cost_rate_source
FROM core.person_rates
JOIN core.people ON people.people_id = person_rates.people_id
LEFT JOIN staging.roles ON roles.role_id = person_rates.role_id
