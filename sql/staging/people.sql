-- One row per person among the people.
-- Without a type a contractor is 2, anybody else 1; without the flag a person is active.
SELECT
  people_id,
  name,
  people_code,
  department_id,
  department_name,
  role_id,
  region_id,
  COALESCE(people_type_id, CASE WHEN contractor THEN 2 ELSE 1 END) AS people_type_id,
  COALESCE(active, TRUE) AS is_active,
  start_date,
  end_date,
  default_hourly_rate,
  cost_rate,
  effective_date AS cost_rate_from_date,
  work_days_hours[1] AS sunday_hours,
  work_days_hours[2] AS monday_hours,
  work_days_hours[3] AS tuesday_hours,
  work_days_hours[4] AS wednesday_hours,
  work_days_hours[5] AS thursday_hours,
  work_days_hours[6] AS friday_hours,
  work_days_hours[7] AS saturday_hours
FROM source.people
