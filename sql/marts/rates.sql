-- One row per person, project and phase with work, and range of days with the same role and the same rates.
-- Both ends are included; 1970-01-01 and 2099-12-31 mean always. A line of the person there on a day of the range has these rates (R2 to R4).
-- key: people_id, project_id, phase_id, first_date
-- refers: people_id people, project_id projects, phase_id phases, role_id roles
-- hides: cost_rate
WITH placed AS (
  SELECT
    assignments.people_id,
    assignments.project_id,
    assignments.phase_id,
    GREATEST(person_rates.valid_from, assignments.valid_from) AS valid_from,
    LEAST(person_rates.valid_to, assignments.valid_to) AS valid_to,
    pl_line_role(assignments.team_role_id, person_rates.role_id) AS role_id,
    person_rates.valid_from AS person_from,
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
    assignments.is_non_billable
  FROM core.assignments
  JOIN core.person_rates
    ON person_rates.people_id = assignments.people_id
    AND person_rates.valid_from < assignments.valid_to AND person_rates.valid_to > assignments.valid_from
),
rated AS (
  SELECT
    placed.*,
    GREATEST(placed.valid_from, COALESCE(card_rates.valid_from, placed.valid_from)) AS rated_from,
    LEAST(placed.valid_to, COALESCE(card_rates.valid_to, placed.valid_to)) AS rated_to,
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
    AND card_rates.valid_from < placed.valid_to AND card_rates.valid_to > placed.valid_from
)
SELECT
  rated.people_id,
  people.person,
  rated.project_id,
  projects.project,
  rated.phase_id,
  phases.phase,
  rated.rated_from AS first_date,
  pl_add_days(rated.rated_to, -1) AS last_date,
  COALESCE(rated.role_id, 0) AS role_id,
  roles.role,
  person_rates.cost_rate,
  person_rates.cost_rate_source,
  rated.bill_rate,
  rated.bill_rate_source,
  pl_line_bill_rate_from(
    rated.bill_rate_source, rated.place_from, rated.card_from, rated.own_bill_rate_from, rated.team_role_id, rated.team_bill_rate_from,
    rated.role_bill_rate_from
  ) AS bill_rate_from,
  rated.is_non_billable
FROM rated
JOIN core.person_rates ON person_rates.people_id = rated.people_id AND person_rates.valid_from = rated.person_from
JOIN marts.people ON people.people_id = rated.people_id
LEFT JOIN marts.projects ON projects.project_id = rated.project_id
LEFT JOIN marts.phases ON phases.phase_id = rated.phase_id
LEFT JOIN marts.roles ON roles.role_id = rated.role_id
