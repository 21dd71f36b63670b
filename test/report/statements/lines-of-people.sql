WITH lines AS (
  SELECT ledger.people_id AS key_person, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM core.ledger AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.kind <> pl_line_kind('expense')
    AND ledger.kind <> pl_line_kind('revenue')
    AND ledger.kind <> pl_line_kind('invoice')
    AND ledger.kind <> pl_line_kind('write_off')
    AND ledger.people_id IN (SELECT people_id FROM core.named_people WHERE active IN (true))
),
cells AS (
  SELECT key_person, kind,
    0 AS nothing
  FROM lines GROUP BY key_person, kind
),
periods AS (
  SELECT MIN(date) AS first_day, MAX(date) AS last_day
  FROM (SELECT pl_add_days(DATE '2026-01-01', series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(DATE '2026-01-01', DATE '2026-03-31'))) AS series (day)) AS days
  
),
members AS (SELECT DISTINCT member.people_id AS key_person, member.people_id FROM core.named_people AS member JOIN core.roster AS roster ON roster.people_id = member.people_id CROSS JOIN periods WHERE member.is_known AND roster.valid_from <= periods.last_day AND roster.valid_to > periods.first_day
    AND pl_has_common_weekday(roster.weekdays, pl_weekdays_between(
      GREATEST(roster.valid_from, periods.first_day), LEAST(pl_add_days(roster.valid_to, -1), periods.last_day))) AND member.people_id IN (SELECT people_id FROM core.named_people WHERE active IN (true))),
crew AS (SELECT key_person, people_id FROM members UNION SELECT key_person, people_id FROM lines WHERE people_id IS NOT NULL),
scheduled AS (
    SELECT people_id, date, SUM(hours) AS scheduled_hours
    FROM lines WHERE kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) GROUP BY people_id, date
  ),
person_days AS (
  SELECT *, GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) AS "overtime", CASE WHEN date > DATE '2026-03-01' THEN GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) END AS "future_overtime", LEAST(COALESCE(scheduled_hours, 0), capacity) AS "covered"
  FROM (
    SELECT worked.*, scheduled.scheduled_hours
    FROM (
    WITH able_days AS (
      SELECT days.*, week_hours
      FROM (SELECT people_id, date FROM scheduled) AS days
      JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    )
    SELECT *, time_off_hours AS time_off, capacity_hours AS capacity,
      CASE WHEN date <= DATE '2026-03-01' THEN capacity_hours END AS capacity_to_date
    FROM (
SELECT
  able_days.*,
  pl_hours_on(able_days.week_hours, able_days.date) AS work_hours,
  COALESCE(time_off_days.time_off_hours, 0) AS time_off_hours,
  pl_hours_on(able_days.week_hours, able_days.date) - COALESCE(time_off_days.time_off_hours, 0) AS capacity_hours
FROM able_days
LEFT JOIN core.time_off_days AS time_off_days ON time_off_days.people_id = able_days.people_id AND time_off_days.date = able_days.date

    ) AS capacity_days
  ) AS worked
    LEFT JOIN scheduled ON scheduled.people_id = worked.people_id AND scheduled.date = worked.date
  ) AS days
),
whole AS (
  SELECT 'day' AS kind, CONCAT('d:', person_days.people_id, ':', person_days.date) AS line_id, person_days.date,
    person_days.people_id, people.person, capacity + time_off AS work_hours, time_off AS time_off_hours,
    capacity AS capacity_hours, scheduled_hours, COALESCE(overtime, 0) AS contribution
  FROM person_days
  LEFT JOIN core.named_people AS people ON people.people_id = person_days.people_id
  WHERE COALESCE(overtime, 0) <> 0
),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT COUNT(*) AS count, CASE WHEN NOT (SELECT is_whole FROM sight) THEN NULL
  WHEN COUNT(CASE WHEN TRUE THEN 1 END) = 0 THEN 0 ELSE SUM(CASE WHEN TRUE THEN contribution END) END AS total
FROM contributions;

WITH lines AS (
  SELECT ledger.people_id AS key_person, ledger.date, ledger.people_id, ledger.project_id, ledger.phase_id, ledger.task_meta_id, ledger.kind, ledger.status,
    ledger.billable AS is_billable, ledger.date <= DATE '2026-03-01' AS is_to_date, ledger.hours
  FROM core.ledger AS ledger 
  WHERE ledger.date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
    AND ledger.status <> pl_line_status('canceled')
    AND ledger.kind <> pl_line_kind('expense')
    AND ledger.kind <> pl_line_kind('revenue')
    AND ledger.kind <> pl_line_kind('invoice')
    AND ledger.kind <> pl_line_kind('write_off')
    AND ledger.people_id IN (SELECT people_id FROM core.named_people WHERE active IN (true))
),
cells AS (
  SELECT key_person, kind,
    0 AS nothing
  FROM lines GROUP BY key_person, kind
),
periods AS (
  SELECT MIN(date) AS first_day, MAX(date) AS last_day
  FROM (SELECT pl_add_days(DATE '2026-01-01', series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(DATE '2026-01-01', DATE '2026-03-31'))) AS series (day)) AS days
  
),
members AS (SELECT DISTINCT member.people_id AS key_person, member.people_id FROM core.named_people AS member JOIN core.roster AS roster ON roster.people_id = member.people_id CROSS JOIN periods WHERE member.is_known AND roster.valid_from <= periods.last_day AND roster.valid_to > periods.first_day
    AND pl_has_common_weekday(roster.weekdays, pl_weekdays_between(
      GREATEST(roster.valid_from, periods.first_day), LEAST(pl_add_days(roster.valid_to, -1), periods.last_day))) AND member.people_id IN (SELECT people_id FROM core.named_people WHERE active IN (true))),
crew AS (SELECT key_person, people_id FROM members UNION SELECT key_person, people_id FROM lines WHERE people_id IS NOT NULL),
scheduled AS (
    SELECT people_id, date, SUM(hours) AS scheduled_hours
    FROM lines WHERE kind = pl_line_kind('scheduled') AND status IN (pl_line_status('confirmed'), pl_line_status('completed')) GROUP BY people_id, date
  ),
person_days AS (
  SELECT *, GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) AS "overtime", CASE WHEN date > DATE '2026-03-01' THEN GREATEST(COALESCE(scheduled_hours, 0) - capacity, 0) END AS "future_overtime", LEAST(COALESCE(scheduled_hours, 0), capacity) AS "covered"
  FROM (
    SELECT worked.*, scheduled.scheduled_hours
    FROM (
    WITH able_days AS (
      SELECT days.*, week_hours
      FROM (SELECT people_id, date FROM scheduled) AS days
      JOIN core.work_hours AS work_hours ON work_hours.people_id = days.people_id AND work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date
    )
    SELECT *, time_off_hours AS time_off, capacity_hours AS capacity,
      CASE WHEN date <= DATE '2026-03-01' THEN capacity_hours END AS capacity_to_date
    FROM (
SELECT
  able_days.*,
  pl_hours_on(able_days.week_hours, able_days.date) AS work_hours,
  COALESCE(time_off_days.time_off_hours, 0) AS time_off_hours,
  pl_hours_on(able_days.week_hours, able_days.date) - COALESCE(time_off_days.time_off_hours, 0) AS capacity_hours
FROM able_days
LEFT JOIN core.time_off_days AS time_off_days ON time_off_days.people_id = able_days.people_id AND time_off_days.date = able_days.date

    ) AS capacity_days
  ) AS worked
    LEFT JOIN scheduled ON scheduled.people_id = worked.people_id AND scheduled.date = worked.date
  ) AS days
),
whole AS (
  SELECT 'day' AS kind, CONCAT('d:', person_days.people_id, ':', person_days.date) AS line_id, person_days.date,
    person_days.people_id, people.person, capacity + time_off AS work_hours, time_off AS time_off_hours,
    capacity AS capacity_hours, scheduled_hours, COALESCE(overtime, 0) AS contribution
  FROM person_days
  LEFT JOIN core.named_people AS people ON people.people_id = person_days.people_id
  WHERE COALESCE(overtime, 0) <> 0
),
sight AS (SELECT TRUE AS is_whole),
contributions AS (SELECT * FROM whole WHERE TRUE)
SELECT "kind", "line_id", "date", "people_id", "person", "work_hours", "time_off_hours", "capacity_hours", "scheduled_hours", "contribution"
FROM contributions
WHERE TRUE
ORDER BY date NULLS FIRST, line_id NULLS FIRST LIMIT 11;
