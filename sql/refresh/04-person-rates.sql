-- Refreshes core.person_rates by people_id after people, roles, core.people.
SELECT people_id
FROM named_people
WHERE resource = 'people'
UNION
SELECT people_id
FROM changed_core_people
UNION
SELECT person_rates.people_id
FROM core.person_rates
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = person_rates.role_id
