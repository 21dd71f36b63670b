-- Refreshes marts.people by people_id after departments, roles, core.people.
-- A department that is not among the departments has the name that its people give it: what one says, all of them have.
SELECT people_id
FROM changed_core_people
UNION
SELECT people.people_id
FROM core.people
JOIN changed_core_people AS changed ON changed.department_id = people.department_id
UNION
SELECT people.people_id
FROM core.people
JOIN changed_records ON changed_records.resource = 'departments' AND changed_records.id = people.department_id
UNION
SELECT people.people_id
FROM core.people
JOIN changed_records ON changed_records.resource = 'roles' AND changed_records.id = people.role_id
