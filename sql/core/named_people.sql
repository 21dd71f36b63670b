-- One row per person record, and per other person in allocations, time off or logged time. 0 stands for nobody: expenses have no person.
-- Reports list these rows. References are null for none; those of marts.people are 0.
-- stored: table
-- part: people
-- copied: without rates
SELECT
  people.people_id,
  people.people_code,
  people.name AS person,
  people.is_known,
  people.department_id,
  departments.department,
  people.role_id,
  roles.name AS role,
  people.people_type_id,
  people_types.people_type,
  people.has_capacity,
  people.is_active AS active,
  people.start_date,
  people.end_date,
  CASE WHEN people.has_capacity AND people.capacity_to < pl_after_last_day() THEN pl_add_days(people.capacity_to, -1) END AS last_capacity_date
FROM core.people
LEFT JOIN marts.departments ON departments.department_id = people.department_id
LEFT JOIN staging.roles ON roles.role_id = people.role_id
LEFT JOIN marts.people_types ON people_types.people_type_id = people.people_type_id
UNION ALL
SELECT
  0 AS people_id,
  NULL AS people_code,
  '(no person)' AS person,
  FALSE AS is_known,
  NULL AS department_id,
  NULL AS department,
  NULL AS role_id,
  NULL AS role,
  NULL AS people_type_id,
  NULL AS people_type,
  FALSE AS has_capacity,
  NULL AS active,
  NULL AS start_date,
  NULL AS end_date,
  NULL AS last_capacity_date
