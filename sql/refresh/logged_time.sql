-- Changed logged time touches the people whom only other records name, and the archived ones, whose capacity ends with it (D5). For all others its
-- line is refreshed by its id.
SELECT touched.people_id
FROM touched
LEFT JOIN staging.people ON people.people_id = touched.people_id
WHERE touched.logged_time_id IS NOT NULL AND (people.people_id IS NULL OR NOT people.is_active)
