-- A changed person touches the other people of a department without a record: the department has the name that its people give it.
WITH homes AS (
  SELECT people.department_id
  FROM core.people
  JOIN changed_records ON changed_records.resource = 'people' AND changed_records.id = people.people_id
  UNION
  SELECT people.department_id
  FROM staging.people
  JOIN changed_records ON changed_records.resource = 'people' AND changed_records.id = people.people_id
)
SELECT people.people_id
FROM homes
JOIN core.people ON people.department_id = homes.department_id
LEFT JOIN staging.departments ON departments.department_id = homes.department_id
WHERE departments.department_id IS NULL
