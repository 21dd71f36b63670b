-- One row per combination of person, project and phase that occurs, and range of days [valid_from, valid_to) with the same rates: the role and the rates
-- that don't depend on the person's own. The ranges of a combination cover every day.
-- stored: table
-- R2: the team role is that of the person's item in the phase's team, or else in the project's.
-- R4: the first bill rate of the day that isn't null of the phase's team, the phase, the project's team and the project; team_bill_rate is that of the
-- team role.
-- S2: nothing in a non-billable project or phase, or of an internal contract, is billable.
-- Only what has dated entries has several ranges, so what is computed for them costs nothing elsewhere.
-- part: where project_id IN (SELECT project_id FROM core.named_projects) AND people_id IN (SELECT people_id FROM core.named_people)
-- copied: without rates
WITH dated_rates AS (
  SELECT level, id, people_id, valid_from
  FROM core.bill_rates
  WHERE valid_from > pl_first_day() AND level IN ('phase_team', 'phase', 'project_team', 'project', 'role')
),
placed AS (
  SELECT
    participations.people_id,
    participations.project_id,
    participations.phase_id,
    COALESCE(phase_team.role_id, project_team.role_id) AS team_role_id
  FROM core.participations
  LEFT JOIN core.phase_team ON phase_team.phase_id = participations.phase_id AND phase_team.people_id = participations.people_id
  LEFT JOIN core.project_team ON project_team.project_id = participations.project_id AND project_team.people_id = participations.people_id
),
starts AS (
  SELECT placed.people_id, placed.project_id, placed.phase_id, dated_rates.valid_from
  FROM placed
  JOIN dated_rates ON dated_rates.level IN ('phase', 'phase_team') AND dated_rates.id = placed.phase_id AND dated_rates.people_id IN (0, placed.people_id)
  UNION
  SELECT placed.people_id, placed.project_id, placed.phase_id, dated_rates.valid_from
  FROM placed
  JOIN dated_rates
    ON dated_rates.level IN ('project', 'project_team') AND dated_rates.id = placed.project_id AND dated_rates.people_id IN (0, placed.people_id)
  UNION
  SELECT placed.people_id, placed.project_id, placed.phase_id, dated_rates.valid_from
  FROM placed
  JOIN dated_rates ON dated_rates.level = 'role' AND dated_rates.id = placed.team_role_id
),
all_starts AS (
  SELECT people_id, project_id, phase_id, valid_from FROM starts
  UNION
  SELECT people_id, project_id, phase_id, pl_first_day() AS valid_from FROM starts
),
ranges AS (
  SELECT
    people_id,
    project_id,
    phase_id,
    valid_from,
    LEAD(valid_from, 1, pl_after_last_day()) OVER (PARTITION BY people_id, project_id, phase_id ORDER BY valid_from) AS valid_to
  FROM all_starts
),
ranged AS (
  SELECT
    placed.people_id,
    placed.project_id,
    placed.phase_id,
    placed.team_role_id,
    COALESCE(ranges.valid_from, pl_first_day()) AS valid_from,
    COALESCE(ranges.valid_to, pl_after_last_day()) AS valid_to
  FROM placed
  LEFT JOIN ranges ON ranges.people_id = placed.people_id AND ranges.project_id = placed.project_id AND ranges.phase_id = placed.phase_id
)
SELECT
  ranged.people_id,
  ranged.project_id,
  ranged.phase_id,
  ranged.valid_from,
  ranged.valid_to,
  ranged.team_role_id,
  COALESCE(phase_team.bill_rate, phase.bill_rate, project_team.bill_rate, project.bill_rate) AS bill_rate,
  pl_bill_rate_source(
    CASE
      WHEN phase_team.bill_rate IS NOT NULL THEN 'phase_team'
      WHEN phase.bill_rate IS NOT NULL THEN 'phase'
      WHEN project_team.bill_rate IS NOT NULL THEN 'project_team'
      WHEN project.bill_rate IS NOT NULL THEN 'project'
    END
  ) AS bill_rate_source,
  CASE
    WHEN phase_team.bill_rate IS NOT NULL THEN phase_team.dated_from
    WHEN phase.bill_rate IS NOT NULL THEN phase.dated_from
    WHEN project_team.bill_rate IS NOT NULL THEN project_team.dated_from
    ELSE project.dated_from
  END AS bill_rate_from,
  team_role.bill_rate AS team_bill_rate,
  team_role.dated_from AS team_bill_rate_from,
  pl_is_internal(projects.is_non_billable, phases.is_non_billable, projects.budget_priority, projects.contract, phases.contract) AS is_non_billable
FROM ranged
LEFT JOIN core.bill_rates AS phase_team
  ON phase_team.level = 'phase_team' AND phase_team.id = ranged.phase_id AND phase_team.people_id = ranged.people_id
  AND phase_team.valid_from <= ranged.valid_from AND phase_team.valid_to > ranged.valid_from
LEFT JOIN core.bill_rates AS phase
  ON phase.level = 'phase' AND phase.id = ranged.phase_id AND phase.valid_from <= ranged.valid_from AND phase.valid_to > ranged.valid_from
LEFT JOIN core.bill_rates AS project_team
  ON project_team.level = 'project_team' AND project_team.id = ranged.project_id AND project_team.people_id = ranged.people_id
  AND project_team.valid_from <= ranged.valid_from AND project_team.valid_to > ranged.valid_from
LEFT JOIN core.bill_rates AS project
  ON project.level = 'project' AND project.id = ranged.project_id AND project.valid_from <= ranged.valid_from AND project.valid_to > ranged.valid_from
LEFT JOIN core.bill_rates AS team_role
  ON team_role.level = 'role' AND team_role.id = ranged.team_role_id
  AND team_role.valid_from <= ranged.valid_from AND team_role.valid_to > ranged.valid_from
LEFT JOIN staging.phases ON phases.phase_id = ranged.phase_id
LEFT JOIN staging.projects ON projects.project_id = ranged.project_id
