-- One row per person record, and per other person in allocations, time off or logged time.
-- stored: table
SELECT
  people.people_id,
  people.people_code,
  people.name AS person,
  people.is_known,
  people.department_id,
  departments.department,
  people.role_id,
  roles.role,
  people.people_type_id,
  people_types.people_type,
  people.has_capacity,
  people.is_active AS active,
  people.start_date,
  people.end_date
FROM core.people
LEFT JOIN marts.departments ON departments.department_id = people.department_id
LEFT JOIN marts.roles ON roles.role_id = people.role_id
LEFT JOIN marts.people_types ON people_types.people_type_id = people.people_type_id
