-- One row per person and day of the calendar with work hours or hours.
-- D5: capacity is work hours less time off. All three are 0 for those without capacity, who have only days with hours.
-- Hours count as in the reports without parameters: scheduled hours are confirmed or completed. Draft and canceled hours make no row.
-- The sum over some people and days is their utilization's numerator and denominator, so no join is needed.
-- The role is the person's on the day (R2); a line may have that of a team. full_time_equivalent compares the person's week with the company's.
-- key: date, people_id
-- refers: date calendar, people_id people, department_id departments, role_id roles, people_type_id people_types
WITH weeks AS (
  SELECT
    work_hours.people_id,
    work_hours.valid_from,
    work_hours.capacity_to,
    work_hours.week_hours,
    pl_whole_steps(
      20000 * pl_week_units(work_hours.week_hours) + pl_week_units(settings.week_hours),
      NULLIF(2 * pl_week_units(settings.week_hours), 0)
    ) AS week_share
  FROM core.work_hours
  CROSS JOIN core.settings
  WHERE work_hours.capacity_to IS NOT NULL
),
able_days AS (
  SELECT weeks.people_id, calendar.date, weeks.week_hours, weeks.week_share
  FROM marts.calendar
  JOIN weeks ON weeks.valid_from <= calendar.date AND weeks.capacity_to > calendar.date
),
parts AS (
  SELECT
    people_id,
    date,
    week_share,
    work_hours,
    time_off_hours,
    0 AS scheduled_hours,
    0 AS tentative_hours,
    0 AS actual_hours,
    0 AS actual_billable_hours
  FROM facts.capacity_days AS capacity_days
  WHERE work_hours > 0
  UNION ALL
  SELECT
    people_id,
    date,
    0 AS week_share,
    0 AS work_hours,
    0 AS time_off_hours,
    CASE WHEN kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) THEN hours ELSE 0 END AS scheduled_hours,
    CASE WHEN kind = pl_line_kind('scheduled') AND status = pl_line_status('tentative') THEN hours ELSE 0 END AS tentative_hours,
    CASE WHEN kind = pl_line_kind('actual') THEN hours ELSE 0 END AS actual_hours,
    CASE WHEN kind = pl_line_kind('actual') AND billable THEN hours ELSE 0 END AS actual_billable_hours
  FROM core.ledger
  WHERE kind <> pl_line_kind('expense') AND status NOT IN (pl_line_status('draft'), pl_line_status('canceled'))
),
days AS (
  SELECT
    people_id,
    date,
    MAX(week_share) AS week_share,
    SUM(work_hours) AS work_hours,
    SUM(time_off_hours) AS time_off_hours,
    SUM(scheduled_hours) AS scheduled_hours,
    SUM(tentative_hours) AS tentative_hours,
    SUM(actual_hours) AS actual_hours,
    SUM(actual_billable_hours) AS actual_billable_hours
  FROM parts
  GROUP BY people_id, date
)
SELECT
  days.date,
  pl_first_of_month(days.date) AS month,
  days.people_id,
  people.person,
  people.is_known,
  people.has_capacity AND (days.actual_hours > 0 OR COALESCE(days.date <= people.last_capacity_date, TRUE)) AS has_capacity,
  people.department_id,
  people.department,
  COALESCE(person_rates.role_id, 0) AS role_id,
  roles.role,
  people.people_type_id,
  people.people_type,
  people.active,
  CAST(days.week_share AS DECIMAL(18, 0)) * CAST(0.0001 AS DECIMAL(4, 4)) AS full_time_equivalent,
  days.work_hours,
  days.time_off_hours,
  days.work_hours - days.time_off_hours AS capacity_hours,
  days.scheduled_hours,
  days.tentative_hours,
  days.actual_hours,
  days.actual_billable_hours
FROM days
JOIN marts.people ON people.people_id = days.people_id
JOIN core.person_rates
  ON person_rates.people_id = days.people_id
  AND person_rates.valid_from <= days.date
  AND person_rates.valid_to > days.date
LEFT JOIN marts.roles ON roles.role_id = person_rates.role_id
