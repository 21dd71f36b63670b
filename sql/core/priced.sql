-- One row per piece of work and range of its days with one role and one pair of rates: the cost and the fee of a day of it.
-- R2, R4: the role and the bill rate come from the assignment, or else from the person's role of the day.
-- A2: cost = hours x cost rate; fee = hours x bill rate if billable, or else 0. Rounded here, once (A1).
-- It has the columns of the ledger, for its first day; a logged-time record has only that day, so its row is a line already.
-- Assignments and the rates of days stay separate relations: their product has five times as many rows, and joining it takes a tenth of a build.
-- Every piece of work has one assignment; the left joins keep an engine from joining assignments with the rates of days first.
WITH rated AS (
  SELECT
    work.*,
    GREATEST(work.first_date, person_rates.valid_from) AS rated_from,
    LEAST(work.last_date, pl_add_days(person_rates.valid_to, -1)) AS rated_to,
    pl_line_role(assignments.team_role_id, person_rates.role_id) AS role_id,
    person_rates.cost_rate,
    person_rates.cost_rate_source,
    pl_line_bill_rate(assignments.bill_rate, assignments.team_role_id, person_rates.role_bill_rate) AS bill_rate,
    pl_line_bill_rate_source(assignments.bill_rate_source, assignments.team_role_id, person_rates.role_bill_rate) AS bill_rate_source,
    work.is_billable_work AND NOT assignments.is_non_billable AS is_billable
  FROM core.work
  LEFT JOIN core.assignments
    ON assignments.people_id = work.people_id
    AND assignments.project_id = work.project_id
    AND assignments.phase_id = work.phase_id
  LEFT JOIN core.person_rates
    ON person_rates.people_id = work.people_id
    AND person_rates.valid_from <= work.last_date
    AND person_rates.valid_to > work.first_date
)
SELECT
  rated.kind,
  rated.rated_from AS date,
  pl_first_of_month(rated.rated_from) AS month,
  rated.people_id,
  rated.role_id,
  rated.project_id,
  rated.phase_id,
  rated.task_meta_id,
  rated.task_id,
  rated.logged_time_id,
  CAST(NULL AS BIGINT) AS project_expense_id,
  rated.status,
  rated.is_billable AS billable,
  rated.hours,
  rated.cost_rate,
  rated.cost_rate_source,
  pl_amount(rated.hours, rated.cost_rate, settings.minor_units) AS cost,
  rated.bill_rate,
  rated.bill_rate_source,
  CASE WHEN rated.is_billable THEN pl_amount(rated.hours, rated.bill_rate, settings.minor_units) ELSE 0 END AS fee,
  rated.rated_to AS last_date,
  rated.weekdays
FROM rated
CROSS JOIN core.settings
