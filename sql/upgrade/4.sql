-- Adds the end of the capacity in each range of work hours and of each person, and the roster of the report people. What was kept had its capacity for
-- the whole employment, and all active people as rows, so both stay as they were.
ALTER TABLE core.work_hours ADD COLUMN capacity_to DATE;
UPDATE core.work_hours SET capacity_to = valid_to
WHERE people_id IN (SELECT people_id FROM marts.people WHERE has_capacity);
ALTER TABLE marts.people ADD COLUMN last_capacity_date DATE;
CREATE TABLE core.roster AS
SELECT people_id, DATE '1970-01-01' AS valid_from, DATE '2100-01-01' AS valid_to, 127 AS weekdays
FROM marts.people
WHERE is_known AND active;
