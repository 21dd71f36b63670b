-- A changed department touches its people.
SELECT people.people_id
FROM core.people
JOIN changed_records ON changed_records.resource = 'departments' AND changed_records.id = people.department_id
