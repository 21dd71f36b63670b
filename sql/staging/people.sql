-- One row per person record.
-- Without a type, a contractor is 2 and anyone else 1. Without the flag, a person is active.
-- part: people
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
  pl_week(work_days_hours) AS week_hours
FROM source.people
