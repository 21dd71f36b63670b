-- One row per allocation and person in its list of people.
SELECT DISTINCT task_id, people_id
FROM source.task_people
