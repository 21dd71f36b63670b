-- Refreshes core.work_hours by people_id after people, core.people.
SELECT people_id
FROM named_people
WHERE resource = 'people'
UNION
SELECT people_id
FROM changed_core_people
