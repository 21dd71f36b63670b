-- One row per bill rate that a level holds, and range of days on which it does (R4).
-- Both ends are included; 1970-01-01 and 2099-12-31 mean always. level and id say who holds it: phase_team and phase a phase, project_team, project and
-- rate_card a project, client_card a client, person a person, role a role. Rates of teams have a person, too, and those of cards a role; else both are 0.
-- On a day without a row a level has no rate, and leaves it to the next.
-- key: level, id, people_id, role_id, first_date
SELECT
  bill_rates.level,
  bill_rates.id,
  bill_rates.people_id,
  bill_rates.role_id,
  bill_rates.valid_from AS first_date,
  pl_add_days(bill_rates.valid_to, -1) AS last_date,
  bill_rates.bill_rate,
  bill_rates.dated_from AS bill_rate_from,
  seen_rates.level IS NOT NULL AS is_first_seen
FROM core.bill_rates
LEFT JOIN core.seen_rates
  ON seen_rates.level = bill_rates.level AND seen_rates.id = bill_rates.id AND seen_rates.people_id = bill_rates.people_id
  AND seen_rates.role_id = bill_rates.role_id AND seen_rates.valid_from = bill_rates.dated_from
WHERE bill_rates.bill_rate IS NOT NULL
