-- One row per time off and person in its list of people.
SELECT DISTINCT timeoff_id, people_id
FROM source.timeoff_people
