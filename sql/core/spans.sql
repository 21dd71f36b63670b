-- One row per occurrence of an allocation for a person and range of its days with the same weekly hours.
-- stored: table
-- D6: the weekdays with work hours count; if the occurrence has no day with work hours at all, all of them do.
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
  WHERE occurrences.kind = 'allocation'
),
compared AS (
  SELECT
    *,
    MAX(CASE WHEN pl_has_common_weekday(work_weekdays, pl_weekdays_between(first_date, last_date)) THEN 1 ELSE 0 END)
      OVER (PARTITION BY task_id, people_id, occurrence) AS has_work_days
  FROM pieces
)
SELECT
  allocations.task_id,
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
