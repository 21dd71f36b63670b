-- A changed role touches the people who have it by their own record, a contract or a team (R2, R3, R4).
SELECT people.people_id
FROM core.people
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = people.role_id
UNION
SELECT person_rates.people_id
FROM core.person_rates
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = person_rates.role_id
UNION
SELECT assignments.people_id
FROM core.assignments
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = assignments.team_role_id
