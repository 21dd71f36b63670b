-- Refreshes core.time_off_days by people_id after timeoffs, core.people, core.work_hours.
SELECT people_id
FROM named_people
WHERE resource = 'timeoffs'
UNION
SELECT people_id
FROM changed_core_people
UNION
SELECT people_id
FROM changed_core_work_hours
