-- One row per person record and range of days [valid_from, valid_to), on whose weekdays the person is a row of the report people, even without hours (3.4):
-- active and employed, or able to work (D5) with work hours.
-- stored: table at rest
-- part: own
-- copied: without rates
SELECT
  work_hours.people_id,
  work_hours.valid_from,
  CASE WHEN people.active THEN work_hours.valid_to ELSE work_hours.capacity_to END AS valid_to,
  CASE WHEN people.active THEN 127 ELSE work_hours.work_weekdays END AS weekdays
FROM core.work_hours
JOIN core.named_people AS people ON people.people_id = work_hours.people_id
WHERE people.is_known AND (people.active OR work_hours.capacity_to IS NOT NULL)
