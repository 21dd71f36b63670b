-- Refreshes core.time_off_days by people_id after timeoffs, holidays, core.people, core.work_hours.
-- A holiday may have been of another region, or of everybody, before it was written.
SELECT people_id
FROM named_people
WHERE resource = 'timeoffs'
UNION
SELECT people.people_id
FROM core.people
CROSS JOIN changed_records
WHERE changed_records.resource = 'holidays'
UNION
SELECT people_id
FROM changed_core_people
UNION
SELECT people_id
FROM changed_core_work_hours
