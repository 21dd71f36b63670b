-- Refreshes core.people by people_id after people, departments, tasks, timeoffs, logged_time.
-- Who is among the people is described by the own record and its department; anybody else by being named.
SELECT people_id
FROM named_people
WHERE resource = 'people'
UNION
SELECT people.people_id
FROM core.people
JOIN changed_records ON changed_records.resource = 'departments' AND changed_records.id = people.department_id
UNION
SELECT named_people.people_id
FROM named_people
LEFT JOIN staging.people ON people.people_id = named_people.people_id
WHERE named_people.resource IN ('tasks', 'timeoffs', 'logged_time') AND people.people_id IS NULL
