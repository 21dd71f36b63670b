-- One row per person, project and phase with work, and range of days with the same role and the same rates.
-- Both ends are included; 1970-01-01 and 2099-12-31 mean always. A line of the person there on a day of the range has these rates (R2 to R4).
SELECT
  assignments.people_id,
  people.person,
  assignments.project_id,
  projects.project,
  assignments.phase_id,
  phases.phase,
  person_rates.valid_from AS first_date,
  pl_add_days(person_rates.valid_to, -1) AS last_date,
  COALESCE(pl_line_role(assignments.team_role_id, person_rates.role_id), 0) AS role_id,
  roles.role,
  person_rates.cost_rate,
  person_rates.cost_rate_source,
  pl_line_bill_rate(assignments.bill_rate, assignments.team_role_id, person_rates.role_bill_rate) AS bill_rate,
  pl_line_bill_rate_source(assignments.bill_rate_source, assignments.team_role_id, person_rates.role_bill_rate) AS bill_rate_source,
  assignments.is_non_billable
FROM core.assignments
JOIN core.person_rates ON person_rates.people_id = assignments.people_id
JOIN marts.people ON people.people_id = assignments.people_id
LEFT JOIN marts.projects ON projects.project_id = assignments.project_id
LEFT JOIN marts.phases ON phases.phase_id = assignments.phase_id
LEFT JOIN marts.roles ON roles.role_id = pl_line_role(assignments.team_role_id, person_rates.role_id)
