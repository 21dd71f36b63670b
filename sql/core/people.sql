-- One row per person record, and per other person in allocations, time off or logged time.
-- stored: table
-- An unknown person works the company's hours, without an end (D1).
-- D5: employees (type 1) and contractors (type 2) have capacity; placeholders and unknown persons are demand.
WITH named AS (
  SELECT people_id FROM staging.allocations
  UNION
  SELECT people_id FROM staging.allocation_people
  UNION
  SELECT people_id FROM staging.time_off
  UNION
  SELECT people_id FROM staging.time_off_people
  UNION
  SELECT people_id FROM staging.logged_time
),
unknown AS (
  SELECT named.people_id
  FROM named
  LEFT JOIN staging.people ON people.people_id = named.people_id
  WHERE people.people_id IS NULL AND named.people_id IS NOT NULL
)
SELECT
  people.people_id,
  TRUE AS is_known,
  people.name,
  people.people_code,
  people.department_id,
  COALESCE(departments.name, people.department_name) AS department,
  people.role_id,
  people.region_id,
  people.people_type_id,
  people.people_type_id IN (1, 2) AS has_capacity,
  people.is_active,
  people.start_date,
  people.end_date,
  COALESCE(people.start_date, pl_first_day()) AS employed_from,
  COALESCE(pl_add_days(people.end_date, 1), pl_after_last_day()) AS employed_to,
  people.default_hourly_rate,
  people.cost_rate,
  people.cost_rate_from_date
FROM staging.people
LEFT JOIN staging.departments ON departments.department_id = people.department_id
UNION ALL
SELECT
  people_id,
  FALSE AS is_known,
  NULL AS name,
  NULL AS people_code,
  NULL AS department_id,
  NULL AS department,
  NULL AS role_id,
  NULL AS region_id,
  NULL AS people_type_id,
  FALSE AS has_capacity,
  NULL AS is_active,
  NULL AS start_date,
  NULL AS end_date,
  pl_first_day() AS employed_from,
  pl_after_last_day() AS employed_to,
  NULL AS default_hourly_rate,
  NULL AS cost_rate,
  NULL AS cost_rate_from_date
FROM unknown
