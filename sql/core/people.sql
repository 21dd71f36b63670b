-- One row per person record, and per other person in allocations, time off or logged time.
-- stored: table
-- An unknown person works the company's hours, without an end (D1).
-- D5: employees (type 1) and contractors (type 2) can work, from employed_from until the day before capacity_to: to the end of the employment or, archived
-- without one, to the last day of logged time. Placeholders and unknown persons are demand.
-- D7: is_by_call means that the record has a week of its own, and neither that nor a change of it has any hours. Such people have no capacity.
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
),
changed_weeks AS (
  SELECT people_id, MAX(pl_work_weekdays(week_hours)) AS work_weekdays
  FROM staging.work_hours_changes
  GROUP BY people_id
),
logged AS (
  SELECT people_id, MAX(date) AS last_date
  FROM staging.logged_time
  WHERE hours > 0
  GROUP BY people_id
),
employed AS (
  SELECT
    people.people_id,
    COALESCE(people.start_date, pl_first_day()) AS employed_from,
    COALESCE(pl_add_days(people.end_date, 1), pl_after_last_day()) AS employed_to,
    COALESCE(pl_work_weekdays(people.week_hours) = 0, FALSE) AND COALESCE(changed_weeks.work_weekdays, 0) = 0 AS is_by_call,
    logged.last_date
  FROM staging.people
  LEFT JOIN changed_weeks ON changed_weeks.people_id = people.people_id
  LEFT JOIN logged ON logged.people_id = people.people_id
),
able AS (
  SELECT
    people.people_id,
    employed.employed_from,
    employed.employed_to,
    employed.is_by_call,
    CASE
      WHEN employed.is_by_call OR people.people_type_id NOT IN (1, 2) THEN pl_first_day()
      WHEN people.is_active OR people.end_date IS NOT NULL THEN employed.employed_to
      ELSE COALESCE(pl_add_days(employed.last_date, 1), pl_first_day())
    END AS capacity_to
  FROM staging.people
  JOIN employed ON employed.people_id = people.people_id
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
  able.capacity_to > able.employed_from AS has_capacity,
  people.is_active,
  people.start_date,
  people.end_date,
  able.employed_from,
  able.employed_to,
  able.capacity_to,
  able.is_by_call,
  people.cost_rate,
  people.cost_rate_from_date
FROM staging.people
JOIN able ON able.people_id = people.people_id
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
  pl_first_day() AS capacity_to,
  FALSE AS is_by_call,
  NULL AS cost_rate,
  NULL AS cost_rate_from_date
FROM unknown
