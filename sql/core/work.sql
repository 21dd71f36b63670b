-- One row per piece of work: days of an allocation for a person with the same weekly hours, or a logged-time record (D7).
-- It lasts from first_date to last_date on its weekdays, with the same hours on each of its days.
-- D6: the weekdays that count are those with work hours; if the occurrence has no day with work hours at all, all of them.
-- S1: logged time is confirmed; an allocation has the status of its parts.
-- S2: billable if the record or its project task says so; whether the project and the phase are, core.assignments says.
WITH pieces AS (
  SELECT
    occurrences.item_id AS task_id,
    occurrences.people_id,
    occurrences.occurrence,
    GREATEST(occurrences.first_date, work_hours.valid_from) AS first_date,
    LEAST(occurrences.last_date, pl_add_days(work_hours.valid_to, -1)) AS last_date,
    work_hours.work_weekdays
  FROM core.occurrences
  JOIN core.work_hours
    ON work_hours.people_id = occurrences.people_id
    AND work_hours.valid_from <= occurrences.last_date
    AND work_hours.valid_to > occurrences.first_date
  WHERE occurrences.kind = 'allocation' AND occurrences.is_counted
),
compared AS (
  SELECT
    *,
    MAX(CASE WHEN pl_has_common_weekday(work_weekdays, pl_weekdays_between(first_date, last_date)) THEN 1 ELSE 0 END)
      OVER (PARTITION BY task_id, people_id, occurrence) AS has_work_days
  FROM pieces
)
SELECT
  pl_line_kind('scheduled') AS kind,
  allocations.task_id,
  CAST(NULL AS VARCHAR) AS logged_time_id,
  compared.people_id,
  allocations.project_id,
  allocations.phase_id,
  allocations.task_meta_id,
  compared.first_date,
  compared.last_date,
  CASE WHEN compared.has_work_days = 1 THEN compared.work_weekdays ELSE 127 END AS weekdays,
  allocations.hours,
  allocations.status,
  allocations.is_billable_work
FROM compared
JOIN core.allocations ON allocations.task_id = compared.task_id
UNION ALL
SELECT
  pl_line_kind('actual') AS kind,
  task_id,
  logged_time_id,
  people_id,
  project_id,
  phase_id,
  task_meta_id,
  date AS first_date,
  date AS last_date,
  127 AS weekdays,
  hours,
  pl_line_status('confirmed') AS status,
  is_billable_work
FROM core.logged_time
