-- One row per piece of work and range of its days with one role and one pair of rates: the cost and the fee of a day of it.
-- R2, R4: the role comes from the assignment or else from the person's day; the bill rate from the assignment, a rate card, the person or the role.
-- A2: cost = hours x cost rate; fee = hours x bill rate if billable, or else 0. Rounded here, once (A1).
-- It has the columns of the ledger, for its first day; a logged-time record has only that day, so its row is a line already.
-- Assignments and the rates of days stay separate relations: their product has five times as many rows, and joining it takes a tenth of a build.
-- Every piece of work has an assignment on each of its days; the left joins keep an engine from joining assignments with the rates of days first.
-- P1: ranges of days are those of assignments, of the person's rates and of rate cards, each cut by the others.
WITH placed AS (
  SELECT
    work.*,
    GREATEST(work.first_date, person_rates.valid_from, assignments.valid_from) AS placed_from,
    LEAST(work.last_date, pl_add_days(person_rates.valid_to, -1), pl_add_days(assignments.valid_to, -1)) AS placed_to,
    pl_line_role(assignments.team_role_id, person_rates.role_id) AS role_id,
    person_rates.cost_rate,
    person_rates.cost_rate_source,
    assignments.bill_rate AS place_rate,
    assignments.bill_rate_source AS place_source,
    assignments.bill_rate_from AS place_from,
    assignments.team_role_id,
    assignments.team_bill_rate,
    assignments.team_bill_rate_from,
    person_rates.own_bill_rate,
    person_rates.own_bill_rate_from,
    person_rates.role_bill_rate,
    person_rates.role_bill_rate_from,
    work.is_billable_work AND NOT assignments.is_non_billable AS is_billable
  FROM core.work
  LEFT JOIN core.assignments
    ON assignments.people_id = work.people_id
    AND assignments.project_id = work.project_id
    AND assignments.phase_id = work.phase_id
    AND assignments.valid_from <= work.last_date
    AND assignments.valid_to > work.first_date
  LEFT JOIN core.person_rates
    ON person_rates.people_id = work.people_id
    AND person_rates.valid_from <= LEAST(work.last_date, pl_add_days(assignments.valid_to, -1))
    AND person_rates.valid_to > GREATEST(work.first_date, assignments.valid_from)
),
rated AS (
  SELECT
    placed.*,
    GREATEST(placed.placed_from, COALESCE(card_rates.valid_from, placed.placed_from)) AS rated_from,
    LEAST(placed.placed_to, COALESCE(pl_add_days(card_rates.valid_to, -1), placed.placed_to)) AS rated_to,
    pl_line_bill_rate(
      placed.place_rate, card_rates.bill_rate, placed.own_bill_rate, placed.team_role_id, placed.team_bill_rate, placed.role_bill_rate
    ) AS bill_rate,
    pl_line_bill_rate_source(
      placed.place_source, card_rates.bill_rate_source, placed.own_bill_rate, placed.team_role_id, placed.team_bill_rate, placed.role_bill_rate
    ) AS bill_rate_source,
    card_rates.bill_rate_from AS card_from
  FROM placed
  LEFT JOIN core.card_rates
    ON card_rates.project_id = placed.project_id
    AND card_rates.role_id = placed.role_id
    AND card_rates.valid_from <= placed.placed_to
    AND card_rates.valid_to > placed.placed_from
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
  pl_line_bill_rate_from(
    rated.bill_rate_source, rated.place_from, rated.card_from, rated.own_bill_rate_from, rated.team_role_id, rated.team_bill_rate_from,
    rated.role_bill_rate_from
  ) AS bill_rate_from,
  CASE WHEN rated.is_billable THEN pl_amount(rated.hours, rated.bill_rate, settings.minor_units) ELSE 0 END AS fee,
  rated.rated_to AS last_date,
  rated.weekdays
FROM rated
CROSS JOIN core.settings
