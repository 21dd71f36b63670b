-- One row per person record, and per other person in allocations, time off or logged time. 0 stands for nobody: expenses have no person.
-- key: people_id
-- refers: department_id departments, role_id roles, people_type_id people_types
SELECT
  people_id,
  people_code,
  person,
  is_known,
  COALESCE(department_id, 0) AS department_id,
  department,
  COALESCE(role_id, 0) AS role_id,
  role,
  COALESCE(people_type_id, 0) AS people_type_id,
  people_type,
  has_capacity,
  active,
  start_date,
  end_date,
  last_capacity_date
FROM core.named_people
