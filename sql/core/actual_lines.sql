-- One row per logged-time record of more than 0 hours (D7), priced on its day.
-- S1: actual lines are confirmed. S2: billable unless its project or phase is not, or its work is not.
-- R2, R4: the role is the team's, else the person's on the day; the last bill rate asked for is that role's.
-- Every record finds one assignment and one range of rates; the left joins keep an engine from joining these two with each other first.
-- A2: cost = hours x cost rate; fee = hours x bill rate if billable, else 0.
WITH priced AS (
  SELECT
    logged_time.date,
    logged_time.people_id,
    COALESCE(assignments.team_role_id, person_rates.role_id) AS role_id,
    logged_time.project_id,
    logged_time.phase_id,
    logged_time.task_meta_id,
    logged_time.task_id,
    logged_time.logged_time_id,
    logged_time.is_billable_work AND NOT assignments.is_non_billable AS is_billable,
    logged_time.hours,
    person_rates.cost_rate,
    person_rates.cost_rate_source,
    COALESCE(assignments.bill_rate, CASE WHEN assignments.team_role_id IS NULL THEN person_rates.role_bill_rate END) AS bill_rate,
    CASE
      WHEN assignments.bill_rate_source IS NOT NULL THEN assignments.bill_rate_source
      WHEN assignments.team_role_id IS NULL AND person_rates.role_bill_rate IS NOT NULL THEN pl_bill_rate_source('role')
      ELSE pl_bill_rate_source('none')
    END AS bill_rate_source
  FROM core.logged_time
  LEFT JOIN core.assignments
    ON assignments.people_id = logged_time.people_id
    AND assignments.project_id = logged_time.project_id
    AND assignments.phase_id = logged_time.phase_id
  LEFT JOIN core.person_rates
    ON person_rates.people_id = logged_time.people_id
    AND person_rates.valid_from <= logged_time.date
    AND person_rates.valid_to > logged_time.date
)
SELECT
  pl_line_kind('actual') AS kind,
  priced.date,
  pl_first_of_month(priced.date) AS month,
  priced.people_id,
  priced.role_id,
  priced.project_id,
  priced.phase_id,
  priced.task_meta_id,
  priced.task_id,
  priced.logged_time_id,
  CAST(NULL AS BIGINT) AS project_expense_id,
  pl_line_status('confirmed') AS status,
  priced.is_billable AS billable,
  priced.hours,
  priced.cost_rate,
  priced.cost_rate_source,
  pl_round_money(priced.hours * priced.cost_rate, settings.minor_units) AS cost,
  priced.bill_rate,
  priced.bill_rate_source,
  CASE WHEN priced.is_billable THEN pl_round_money(priced.hours * priced.bill_rate, settings.minor_units) ELSE 0 END AS fee
FROM priced
CROSS JOIN core.settings
