-- One row per person and day with work hours, some of which confirmed time off or a holiday takes (D4).
-- Placeholders and people without a record have days off, too, but no capacity (D5).
-- A day has the name of its holiday and of its type of time off; of several, one is named.
-- key: date, people_id
-- refers: people_id people, department_id departments
WITH types AS (
  SELECT days.people_id, days.date, MIN(time_off_types.name) AS time_off_type
  FROM core.time_off_days AS days
  JOIN core.occurrences
    ON occurrences.people_id = days.people_id
    AND occurrences.first_date <= days.date
    AND occurrences.last_date >= days.date
  JOIN staging.time_off ON time_off.timeoff_id = occurrences.item_id
  JOIN staging.time_off_types ON time_off_types.timeoff_type_id = time_off.timeoff_type_id
  WHERE occurrences.kind = 'time off'
  GROUP BY days.people_id, days.date
),
named_holidays AS (
  SELECT days.people_id, days.date, MIN(COALESCE(records.name, 'Holiday')) AS holiday
  FROM core.time_off_days AS days
  JOIN core.holidays
    ON holidays.people_id = days.people_id
    AND holidays.first_date <= days.date
    AND holidays.last_date >= days.date
  JOIN staging.holidays AS records ON records.holiday_id = holidays.holiday_id
  GROUP BY days.people_id, days.date
)
SELECT
  days.date,
  pl_first_of_month(days.date) AS month,
  days.people_id,
  people.person,
  people.is_known,
  people.has_capacity AND COALESCE(days.date <= people.last_capacity_date, TRUE) AS has_capacity,
  people.department_id,
  people.department,
  days.work_hours,
  days.time_off_hours,
  days.is_day_off,
  types.time_off_type,
  named_holidays.holiday
FROM core.time_off_days AS days
JOIN marts.people ON people.people_id = days.people_id
LEFT JOIN types ON types.people_id = days.people_id AND types.date = days.date
LEFT JOIN named_holidays ON named_holidays.people_id = days.people_id AND named_holidays.date = days.date
