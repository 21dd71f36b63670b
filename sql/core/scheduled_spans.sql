-- One row per occurrence of an allocation for a person and range of its days with the same weekly hours, role and rates.
-- Stored as a table.
-- Everything that a scheduled line says but its day is known here, so it is computed once a span and not once a day.
-- D6: the weekdays that count are those with work hours; if the occurrence has no day with work hours at all, all of them.
-- R2, R4: the role is the team's, else the person's on the day; the last bill rate asked for is that role's.
-- Every piece finds its allocation, assignment and rates; the left joins keep an engine from joining these with each other first.
-- A2: cost = hours x cost rate; fee = hours x bill rate if billable, else 0.
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
worked_pieces AS (
  SELECT
    task_id,
    people_id,
    first_date,
    last_date,
    work_weekdays,
    MAX(CASE WHEN pl_has_common_weekday(work_weekdays, pl_weekdays_between(first_date, last_date)) THEN 1 ELSE 0 END)
      OVER (PARTITION BY task_id, people_id, occurrence) AS has_work_days
  FROM pieces
),
spans AS (
  SELECT
    pieces.task_id,
    pieces.people_id,
    GREATEST(pieces.first_date, person_rates.valid_from) AS first_date,
    LEAST(pieces.last_date, pl_add_days(person_rates.valid_to, -1)) AS last_date,
    CASE WHEN pieces.has_work_days = 1 THEN pieces.work_weekdays ELSE 127 END AS weekdays,
    allocations.project_id,
    allocations.phase_id,
    allocations.task_meta_id,
    allocations.status,
    allocations.is_billable,
    allocations.hours,
    COALESCE(assignments.team_role_id, person_rates.role_id) AS role_id,
    person_rates.cost_rate,
    person_rates.cost_rate_source,
    COALESCE(assignments.bill_rate, CASE WHEN assignments.team_role_id IS NULL THEN person_rates.role_bill_rate END) AS bill_rate,
    CASE
      WHEN assignments.bill_rate_source IS NOT NULL THEN assignments.bill_rate_source
      WHEN assignments.team_role_id IS NULL AND person_rates.role_bill_rate IS NOT NULL THEN pl_bill_rate_source('role')
      ELSE pl_bill_rate_source('none')
    END AS bill_rate_source
  FROM worked_pieces AS pieces
  LEFT JOIN core.allocations ON allocations.task_id = pieces.task_id
  LEFT JOIN core.person_rates
    ON person_rates.people_id = pieces.people_id
    AND person_rates.valid_from <= pieces.last_date
    AND person_rates.valid_to > pieces.first_date
  LEFT JOIN core.assignments
    ON assignments.people_id = pieces.people_id
    AND assignments.project_id = allocations.project_id
    AND assignments.phase_id = allocations.phase_id
)
SELECT
  spans.task_id,
  spans.people_id,
  spans.first_date,
  spans.last_date,
  spans.weekdays,
  spans.role_id,
  spans.project_id,
  spans.phase_id,
  spans.task_meta_id,
  spans.status,
  spans.is_billable,
  spans.hours,
  spans.cost_rate,
  spans.cost_rate_source,
  pl_round_money(spans.hours * spans.cost_rate, settings.minor_units) AS cost,
  spans.bill_rate,
  spans.bill_rate_source,
  CASE WHEN spans.is_billable THEN pl_round_money(spans.hours * spans.bill_rate, settings.minor_units) ELSE 0 END AS fee
FROM spans
CROSS JOIN core.settings
